// Bundles everything but the SQLite driver, whose binary must stay a file of its own.
//   dist/bin.js         the command line, in lazily loaded chunks: a command pays only for what it uses
//   dist/supervisor.js  one file: a run that has begun must not depend on chunks that a later build replaces
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = path.join(root, 'dist')
const weekMs = 7 * 24 * 3600 * 1000

/** @type {esbuild.BuildOptions} */
const shared = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['@photostructure/sqlite'],
  loader: { '.sql': 'text' },
  // Its Node build is CommonJS, of which a lazy import sees only `default`; this one is the same code as ES modules.
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  // Bundled CommonJS calls `require`, which an ES module does not have.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  write: false,
  logLevel: 'warning',
}

export async function bundle() {
  const results = await Promise.all([
    esbuild.build({ ...shared, entryPoints: { bin: 'src/bin.ts' }, splitting: true, chunkNames: '[name]-[hash]' }),
    esbuild.build({ ...shared, entryPoints: { supervisor: 'src/workers/supervisor/main.ts' } }),
  ])
  const files = results.flatMap((result) => result.outputFiles ?? [])
  mkdirSync(dist, { recursive: true })
  rmSync(path.join(dist, '.built'), { force: true })
  files.toSorted(entriesLast).forEach(writeWhole)
  requireShebang(files)
  chmodSync(path.join(dist, 'bin.js'), 0o755)
  removeOldChunks(new Set(files.map((file) => path.basename(file.path))))
}

/** An entry names its chunks, so it is replaced only when they are all there. */
function entriesLast(/** @type {esbuild.OutputFile} */ a, /** @type {esbuild.OutputFile} */ b) {
  return Number(isEntry(a)) - Number(isEntry(b))
}

function isEntry(/** @type {esbuild.OutputFile} */ file) {
  return ['bin.js', 'supervisor.js'].includes(path.basename(file.path))
}

/** By rename: a process that starts during a build reads the old file or the new one, never half of one. */
function writeWhole(/** @type {esbuild.OutputFile} */ file) {
  const unfinished = `${file.path}.${process.pid}.tmp`
  writeFileSync(unfinished, file.contents)
  renameSync(unfinished, file.path)
}

/** Without it the installed command is run by the shell. esbuild keeps the line only if the source begins with it. */
function requireShebang(/** @type {esbuild.OutputFile[]} */ files) {
  const bin = files.find((file) => path.basename(file.path) === 'bin.js')
  if (!bin?.text.startsWith('#!')) throw new Error('src/bin.ts must begin with #!/usr/bin/env node')
}

/** A process that still runs may yet load a chunk of the build it started from; after a week it is gone. */
function removeOldChunks(/** @type {Set<string>} */ current) {
  for (const name of readdirSync(dist)) {
    const file = path.join(dist, name)
    const isOurs = name.endsWith('.js') || name.endsWith('.tmp')
    if (isOurs && !current.has(name) && Date.now() - statSync(file).mtimeMs > weekMs) rmSync(file, { force: true })
  }
}
