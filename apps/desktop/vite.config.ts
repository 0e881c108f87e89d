import { builtinModules } from 'node:module'
import { defineConfig, type EnvironmentOptions } from 'vite'

const OUTSIDE = ['electron', ...builtinModules, ...builtinModules.map(name => `node:${name}`)]

/** One file for the Node or Electron that runs it, with what they bring left outside. */
function oneFile(input: string, format: 'es' | 'cjs', fileName: string): EnvironmentOptions {
  return {
    consumer: 'server',
    resolve: { noExternal: true, external: OUTSIDE },
    build: {
      target: 'node20',
      outDir: 'dist',
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { input, external: OUTSIDE, output: { format, entryFileNames: fileName, codeSplitting: false } },
    },
  }
}

export default defineConfig({
  environments: {
    main: oneFile('src/main.ts', 'es', 'main.js'),
    // A sandboxed preload can be nothing but CommonJS.
    preload: oneFile('src/preload.ts', 'cjs', 'preload.cjs'),
  },
  builder: {
    async buildApp({ build, environments }) {
      for (const name of ['main', 'preload']) {
        const environment = environments[name]
        if (environment === undefined) throw new Error(`There is no environment ${name}`)
        await build(environment)
      }
    },
  },
})
