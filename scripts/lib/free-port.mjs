import { createServer } from 'node:net'

/** `wanted` when nothing listens on it, else any port that is free. */
export async function freePort(host, wanted) {
  return (await tryPort(host, wanted)) ?? tryPort(host, 0)
}

function tryPort(host, port) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', error => (error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(undefined) : reject(error)))
    server.listen({ host, port, exclusive: true }, () => {
      const { port: given } = server.address()
      server.close(() => resolve(given))
    })
  })
}
