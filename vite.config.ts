// How the tests of the whole workspace run. Apps have their own vite.config.ts for building.
//
//   unit      packages/*/test/**/*.test.ts             in Node
//   chromium  packages/*/test/**/*.browser.test.ts     in a page of Chromium
//   e2e       test/e2e, test/packaging                 in Node; they start Chromium, Electron and servers themselves
//   faults    test/faults                              in Node; they start browsers and kill them
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { CHROMIUM_FLAGS, findChromium } from './scripts/lib/chromium.mjs'
import { findElectron, whyNoWindow } from './scripts/lib/electron.mjs'
import { sharedDir } from './scripts/lib/shared-dir.mjs'

// For what hangs. Nothing is judged by how fast it is, and a busy machine makes slow what is right.
const LIMIT_MS = 120_000

const chromium = findChromium()
const electron = findElectron()

export default defineConfig({
  cacheDir: '.cache/vite',
  worker: { format: 'es' },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts'],
          // They wait for nothing but the processor and the disk, and each has its own folder.
          maxWorkers: '100%',
          // Vitest wants a place of its own for a project that has so many workers as no other.
          sequence: { groupOrder: 1 },
          testTimeout: LIMIT_MS,
        },
      },
      {
        extends: true,
        // Found before the first test runs: a dependency found later would reload the page in the middle of a test.
        optimizeDeps: { entries: ['packages/browser/src/**/*.ts', 'packages/*/test/**/*.browser.test.ts'] },
        test: {
          name: 'chromium',
          include: ['packages/*/test/**/*.browser.test.ts'],
          testTimeout: LIMIT_MS,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { args: CHROMIUM_FLAGS, ...(chromium === undefined ? {} : { executablePath: chromium }) },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          environment: 'node',
          include: ['test/faults/**/*.test.ts'],
          env: chromium === undefined ? {} : { CHROMIUM_PATH: chromium },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts', 'test/packaging/**/*.test.ts'],
          // scripts/test.mjs says in a line that they were left out, and why.
          exclude: whyNoWindow() === undefined ? [] : ['test/e2e/desktop*.test.ts'],
          globalSetup: ['scripts/lib/built-apps.mjs'],
          // What the tests start, found once: they need not look for it again.
          env: {
            SHARED_DIR: sharedDir,
            CHROMIUM_FLAGS: CHROMIUM_FLAGS.join(' '),
            ...(chromium === undefined ? {} : { CHROMIUM_PATH: chromium }),
            ...(electron === undefined ? {} : { ELECTRON_PATH: electron }),
          },
          testTimeout: LIMIT_MS,
          hookTimeout: 2 * LIMIT_MS,
        },
      },
    ],
  },
})
