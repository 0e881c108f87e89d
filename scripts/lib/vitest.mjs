import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './root.mjs'
import { run } from './run.mjs'

/** Files below folders of the workspace, relative to the root with forward slashes. */
export function filesIn(folders) {
  return folders
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder => readdirSync(join(root, folder), { withFileTypes: true }).map(entry => ({ folder, entry })))
    .flatMap(({ folder, entry }) => {
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn([`${folder}/${entry.name}`])
      return [`${folder}/${entry.name}`]
    })
}

/**
 * Runs one project of vite.config.ts and counts its tests. `under` is a program to start it with, such as xvfb-run.
 *
 * Vitest's own summary does not count what makes a run worthless: a file that did not load, an error outside of every
 * test, no test at all. Each of them is a failure here.
 */
export async function runVitest(project, { under = [] } = {}) {
  const report = join(root, '.cache/test', `${project}.json`)
  mkdirSync(dirname(report), { recursive: true })
  rmSync(report, { force: true })
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', project, '--allowOnly=false']
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const [command, ...args] = [...under, process.execPath, ...vitest, ...reporters]
  const code = await run(command, args)
  if (!existsSync(report)) return { passed: 0, failed: 1 }
  return count(JSON.parse(readFileSync(report, 'utf8')), code)
}

function count(report, code) {
  const notLoaded = report.testResults.filter(
    file => file.status === 'failed' && file.assertionResults.every(test => test.status !== 'failed'),
  )
  const passed = report.numPassedTests
  const skipped = report.numPendingTests + report.numTodoTests
  const failed = report.numFailedTests + notLoaded.length
  const failures = [
    ...notLoaded.map(file => `${relative(root, file.name)}: ${firstLine(file.message)}`),
    ...report.testResults.flatMap(file =>
      file.assertionResults
        .filter(test => test.status === 'failed')
        .map(test => `${relative(root, file.name)} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`),
    ),
  ]
  if (failed === 0 && code !== 0) {
    console.error(`Vitest ended with exit code ${code} though no test failed; this counts as a failure.`)
    return { passed, failed: 1, skipped }
  }
  if (failed === 0 && passed === 0) {
    console.error('No test was run; this counts as a failure.')
    return { passed, failed: 1, skipped }
  }
  return { passed, failed, skipped, failures }
}

function firstLine(text = '') {
  return text.split('\n', 1)[0].slice(0, 500)
}
