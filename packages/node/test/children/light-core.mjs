// Of the core the journal needs the class of its errors and nothing else. Loading only that lets a process that is about to
// be killed start in a third of the time.
import { register } from 'node:module'

const errors = import.meta.resolve('@palimpsest/core').replace(/index\.ts$/, 'errors.ts')
const hook = `export const resolve = (name, context, next) => next(name === '@palimpsest/core' ? ${JSON.stringify(errors)} : name, context)`

register(`data:text/javascript,${encodeURIComponent(hook)}`)
