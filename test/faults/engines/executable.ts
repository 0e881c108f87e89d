import { accessSync, constants } from 'node:fs'

/** The first of these paths that can be run here. */
export function firstExecutable(paths: readonly (string | undefined)[]): string | undefined {
  return paths.find(path => {
    if (path === undefined) return false
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
