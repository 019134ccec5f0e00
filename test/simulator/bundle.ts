/**
 * Bundles the simulator and the shipped code into one file. In the shipped code, imports of Node's modules get
 * simulated modules. Of our own modules, only those that use the system or a model are replaced.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join, relative, resolve } from 'node:path'
import * as esbuild from 'esbuild'
import type { Mutation } from '../../scripts/mutations.ts'

type Change = Pick<Mutation, 'name' | 'file' | 'find' | 'replace'>

const ROOT = resolve(import.meta.dirname, '../..')
const PLATFORM = join(import.meta.dirname, 'platform')

const MODULES: Readonly<Record<string, string>> = {
  'node:fs': 'fs.ts',
  'node:fs/promises': 'fs-promises.ts',
  'node:timers/promises': 'timers-promises.ts',
  'node:crypto': 'crypto.ts',
}
const OWN_MODULES: Readonly<Record<string, string>> = {
  'src/processes/spawn.ts': 'spawn.ts',
  'src/runs/socket/server.ts': 'run-server.ts',
  'src/storage/open.ts': 'open-store.ts',
  'src/processes/run-program.ts': 'run-program.ts',
  'src/util/guarded-files.ts': 'guarded-files.ts',
  'src/planning/models/model.ts': 'model.ts',
}

/** The database engines and the code that accesses their files, which are not simulated. */
const REAL = ['src/storage/sqlite/', 'src/storage/postgres/', 'src/util/guarded-files.ts', 'src/util/store-files.ts']

const isSimulated = (importer: string): boolean => {
  const path = relative(ROOT, importer)
  return path.startsWith('src/') && !REAL.some((real) => path.startsWith(real))
}

const exchange: esbuild.Plugin = {
  name: 'exchange',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, importer }) => {
      const simulated = isSimulated(importer) ? MODULES[path] : undefined
      return simulated === undefined ? { path, external: true } : { path: join(PLATFORM, simulated) }
    })
    build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, importer, kind }) => {
      if (kind === 'entry-point' || !isSimulated(importer)) return null
      const replacement = OWN_MODULES[relative(ROOT, resolve(resolveDir, path))]
      return replacement === undefined ? null : { path: join(PLATFORM, replacement) }
    })
  },
}

function mutating({ name, file, find, replace }: Change): esbuild.Plugin {
  return {
    name: 'mutate',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (relative(ROOT, path) !== file) return null
        const text = readFileSync(path, 'utf8')
        const places = text.split(find).length - 1
        if (places !== 1)
          throw new Error(`"${name}" must change one place of ${file}, but its text occurs there ${places} times`)
        return { contents: text.replace(find, () => replace), loader: 'ts' }
      })
    },
  }
}

/** Returns the path of the bundle. The bundle is in node_modules, so that it finds the packages that it needs. */
export async function bundleSimulator(mutation: Change | null = null): Promise<string> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: ['test/simulator/entry.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    loader: { '.sql': 'text' },
    external: ['@photostructure/sqlite', 'postgres'],
    alias: {
      yaml: './node_modules/yaml/browser/index.js',
      'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js',
    },
    inject: ['test/simulator/platform/globals.ts'],
    define: { 'Math.random': 'simulatedRandom' },
    plugins: [exchange, ...(mutation === null ? [] : [mutating(mutation)])],
    logLevel: 'warning',
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error('the simulator could not be bundled')
  const folder = join(ROOT, 'node_modules/.cache/muster-simulator')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${createHash('sha256').update(file.contents).digest('hex').slice(0, 16)}.mjs`)
  writeFileSync(path, file.contents)
  return path
}
