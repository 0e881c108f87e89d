const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const LOOK_EVERY_MS = 500
const PARENT = process.ppid

/**
 * Calls back with a signal each time somebody wants this process to stop. Gives a function that ends it.
 *
 * npm passes a signal on to the shell in which it runs a script, and that shell dies of it without passing it on; all that
 * is seen here is that the parent is another one. Outside of npm a lost parent is no wish: that is how nohup works.
 */
export function onStopping(callback) {
  const look = () => {
    if (process.ppid === PARENT) return
    clearInterval(timer)
    callback('SIGTERM')
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  if (process.env.npm_lifecycle_event === undefined) clearInterval(timer)
  for (const signal of SIGNALS) process.on(signal, callback)
  return () => {
    clearInterval(timer)
    for (const signal of SIGNALS) process.off(signal, callback)
  }
}
