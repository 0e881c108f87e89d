/** The packages as they are published, installed into an empty Vite app in a folder of its own. */
import { execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const TSC = join(root, 'node_modules/@typescript/native/bin/tsc')
/** The pnpm of scripts/lib/install.mjs. Its strict layout shows a dependency that nobody declared. */
const PNPM = ['-y', 'pnpm@10.34.9']
/** What the app names, and what that needs of ours. */
const PACKED = ['core', 'browser']

/** What it printed. The error of a command that fails says what it printed. */
async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd, maxBuffer: 1e8 })).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`${[command, ...args].join(' ')} failed in ${cwd}:\n${stdout}${stderr}`, { cause: error })
  }
}

/** Compiles the packages as `npm run build` does and packs them into `folder`; returns the tarballs by package name. */
async function packPackages(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const name of PACKED) {
    const source = join(root, 'packages', name)
    await rm(join(source, 'dist'), { recursive: true, force: true })
    await run(process.execPath, [TSC, '-p', 'tsconfig.build.json'], source)
    const packed = await run('npx', [...PNPM, 'pack', '--json', '--pack-destination', folder], source)
    found.set(`@palimpsest/${name}`, (JSON.parse(packed) as { readonly filename: string }).filename)
  }
  return found
}

export interface PackedApp {
  /** Where the app lies. */
  readonly folder: string
  remove(): Promise<void>
}

/** The app of `fixture/`, with the packages that it names from the tarballs and everything else from the registry. */
export async function installApp(): Promise<PackedApp> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-app-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await layOut(folder)
  } catch (error) {
    await remove()
    throw error
  }
  return { folder, remove }
}

async function layOut(folder: string): Promise<void> {
  const packed = await packPackages(folder)
  const ours = Object.fromEntries([...packed].map(([name, file]) => [name, `file:${file}`]))
  await cp(fileURLToPath(new URL('fixture', import.meta.url)), folder, { recursive: true })
  const manifest = {
    name: 'packed-app',
    private: true,
    type: 'module',
    dependencies: {
      ...ours,
      'sql.js': await catalogVersion('sql.js'),
      vite: await catalogVersion('vite'),
      zod: await catalogVersion('zod'),
    },
    // What a package asks of another one of ours must not come from the registry either.
    pnpm: { overrides: ours },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  await run('npx', [...PNPM, 'install', '--prefer-offline', '--ignore-workspace'], folder)
}

async function catalogVersion(name: string): Promise<string> {
  const workspace = await readFile(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const line = workspace.split('\n').find(text => text.trim().startsWith(`${name}: `))
  if (!line) throw new Error(`pnpm-workspace.yaml has no version of ${name}`)
  return line.trim().slice(name.length + 2)
}

/** Types of the app checked against the published declarations, all of them included. */
export async function typecheck(folder: string): Promise<string> {
  return run(process.execPath, [TSC, '-p', '.'], folder)
}

export async function viteBuild(folder: string): Promise<void> {
  await run(process.execPath, [viteOf(folder), 'build'], folder)
}

export interface Served {
  readonly url: string
  stop(): Promise<void>
}

/** `dev` or `preview`, by the Vite that the app installed. */
export async function viteServe(folder: string, mode: 'dev' | 'preview'): Promise<Served> {
  const port = await freePort()
  const args = [viteOf(folder), mode, '--host', '127.0.0.1', '--port', String(port), '--strictPort']
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  const listening = new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      output.push(String(chunk))
      if (output.join('').includes(String(port))) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('exit', () => reject(new Error(`vite ${mode} ended:\n${output.join('')}`)))
  })
  await listening
  const ended = new Promise(resolve => child.on('exit', resolve))
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}

function viteOf(folder: string): string {
  return join(folder, 'node_modules/vite/bin/vite.js')
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
