/** Firefox, headless, with its profile on the disk. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from './engine.ts'
import { firstExecutable } from './executable.ts'
import { startTree } from './process-tree.ts'

/** They keep it from showing, restoring or fetching anything but our page, and let a page open others. */
const PREFERENCES: Readonly<Record<string, boolean | number | string>> = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.laterrun.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.sessionstore.resume_from_crash': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'browser.tabs.unloadOnLowMemory': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.disable_open_during_load': false,
  'dom.min_background_timeout_value': 4,
  'dom.popup_maximum': 1000,
  'dom.timeout.enable_budget_timer_throttling': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'http://127.0.0.1:9',
  'startup.homepage_welcome_url': '',
  'startup.homepage_welcome_url.additional': '',
  'toolkit.startup.max_resumed_crashes': -1,
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
}

export function firefoxEngine(): Engine {
  const named = process.env['FIREFOX_PATH']
  const executable = firstExecutable(named === undefined ? ['/usr/bin/firefox-esr', '/usr/bin/firefox'] : [named])
  return {
    name: 'firefox',
    backends: ['sqlite'],
    hasMirror: true,
    missing: () => (executable === undefined ? 'no Firefox (apt-get install firefox-esr, or FIREFOX_PATH)' : undefined),
    launch: async ({ profile, url }) => {
      await mkdir(profile, { recursive: true })
      const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
      await writeFile(join(profile, 'user.js'), `${lines.join('\n')}\n`)
      const tree = startTree(executable ?? '', ['--headless', '--no-remote', '--profile', profile, url], {
        MOZ_CRASHREPORTER_DISABLE: '1',
      })
      return { kill: tree.kill, close: () => tree.close(20_000) }
    },
    dispose: () => Promise.resolve(),
  }
}
