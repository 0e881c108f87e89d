import { ASSISTANT, DESKTOP, buildApp } from './apps.mjs'
import { whyNoWindow } from './electron.mjs'

/**
 * Set-up of the end-to-end tests: they open what a user would be given, built from the sources as they are now.
 * An app that does not build fails the run through its exit code, and does not keep the other tests from running.
 */
export default async function builtApps() {
  const apps = whyNoWindow() === undefined ? [ASSISTANT, DESKTOP] : [ASSISTANT]
  for (const app of apps) {
    if (!(await buildApp(app))) process.exitCode = 1
  }
}
