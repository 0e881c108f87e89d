// Imported first by every script, and kept to syntax that old versions of Node can read, so that the sentence is what they print.
import process from 'node:process'

const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Palimpsest needs Node 20.19 or newer; this is Node ${process.versions.node}.`)
  process.exit(1)
}
