// Writes dist/, and for tests dist-test/. All files are CommonJS:
//   bin.js         starts the command line (src/entries/bin.ts)
//   store-thread.js starts the thread that keeps the store of `muster up` (src/entries/store-thread.ts)
//   <chunk>.js     a chunk of the program; a command loads only the chunks that it uses
//   <name>.pack    the chunks that common commands use, in one file, with their compiled code beside it (.cache)
//   client/        the package muster-board/client (bundle-client.mjs)
//   acp.js         the client for agents of the Agent Client Protocol (src/entries/acp-client.ts)
//   files.js       reads, hashes and copies files for a process that has the store open (src/entries/file-helper.ts)
//   mcp.js         serves the board tools to an agent (src/entries/mcp-shim.ts)
//   supervisor.js  with all its code in one file (.code) and its compiled code (.cache), because a live run must not
//                  depend on chunks that a later build replaces (src/entries/supervisor.ts)
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { bundleClient } from './bundle-client.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const weekMs = 7 * 24 * 3600 * 1000
/** The pack of each stage in scripts/code-cache.ts. src/loader/chunk-loader.ts loads the first one by name. */
const packNames = ['start.pack', 'write.pack', 'explain.pack']

/** @typedef {{ folder: string, plugins: esbuild.Plugin[] }} Output */

const system = path.join(root, 'src/config/system.ts')
/** @type {esbuild.Plugin} */
const alterSystem = {
  name: 'alter-system',
  setup(build) {
    build.onResolve({ filter: /\/system\.ts$/ }, ({ path: request, resolveDir }) =>
      path.resolve(resolveDir, request) === system ? { path: path.join(root, 'test/helpers/altered-system.ts') } : null,
    )
  },
}

/** @type {Output} */
const shipped = { folder: path.join(root, 'dist'), plugins: [] }
/** The same program, with a clock, machine and disk that tests can alter. @type {Output} */
const altered = { folder: path.join(root, 'dist-test'), plugins: [alterSystem] }

/** @type {esbuild.BuildOptions} */
const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  loader: { '.sql': 'text' },
  alias: {
    // The driver's binary stays a separate file, which native-binding.ts finds.
    '@photostructure/sqlite': './node_modules/@photostructure/sqlite/dist/index.cjs',
    'node-gyp-build': './src/loader/native-binding.ts',
    // The Node build of yaml is CommonJS, from which a lazy import gets only `default`. The browser build has the same
    // code as ES modules.
    yaml: './node_modules/yaml/browser/index.js',
    // The main build of jsonc-parser hides its imports from the bundler.
    'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js',
  },
  write: false,
  logLevel: 'warning',
}

export async function bundle() {
  writeManifest()
  await Promise.all([writeProgram(shipped), bundleClient()])
}

/** Tests start this program thousands of times, so it must start as fast as the shipped one. */
export const bundleForTests = () => writeProgram(altered)

async function writeProgram(/** @type {Output} */ output) {
  const { folder } = output
  mkdirSync(folder, { recursive: true })
  const [chunks, entries, supervisor] = await Promise.all([
    bundleChunks(output, { program: 'src/entries/program.ts', 'keep-store': 'src/entries/keep-store.ts' }),
    bundleEntries(output),
    bundleChunks(output, { main: 'src/entries/supervisor-program.ts' }),
  ])
  const starter = entries.get('supervisor.js') ?? ''
  entries.delete('supervisor.js')
  rmSync(path.join(folder, '.built'), { force: true })
  writeWhole(folder, 'package.json', '{ "type": "commonjs" }\n')
  for (const [name, code] of chunks) writeWhole(folder, name, code)
  for (const [name, code] of entries) writeWhole(folder, name, code)
  writeSupervisor(output, { chunks: supervisor, starter }, [])
  if (!entries.get('bin.js')?.startsWith('#!'))
    throw new Error('src/entries/bin.ts must begin with #!/usr/bin/env node')
  chmodSync(path.join(folder, 'bin.js'), 0o755)
  removeOldFiles(folder, new Set([...chunks.keys(), ...entries.keys(), 'supervisor.js']))
  pack(output, chunks, (loaded) => writeSupervisor(output, { chunks: supervisor, starter }, groupSupervisor(loaded)))
}

/** Writes the list of commands that the CLI reads without loading the commands. */
function writeManifest() {
  run(['--import', 'tsx', '--import', './scripts/sql-loader.mjs', 'scripts/manifest.ts'])
}

/** The bundler splits only ES modules, so each chunk is then wrapped as a CommonJS module function. */
async function bundleChunks(/** @type {Output} */ output, /** @type {Record<string, string>} */ entryPoints) {
  const { outputFiles = [] } = await esbuild.build({
    ...shared,
    outdir: output.folder,
    plugins: output.plugins,
    entryPoints,
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
  })
  /** @type {Map<string, string>} */
  const chunks = new Map()
  for (const file of outputFiles) {
    const { code } = await esbuild.transform(file.text, {
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      supported: { 'dynamic-import': false },
      minifySyntax: true,
      minifyWhitespace: true,
    })
    chunks.set(path.basename(file.path), `(function (exports, require, module, __dirname) {\n${inAscii(code)}})`)
  }
  return chunks
}

/** The supervisor reads its code as ASCII. esbuild escapes every character but those of regular expressions. */
const inAscii = (/** @type {string} */ code) =>
  // oxlint-disable-next-line no-control-regex -- all characters of ASCII
  code.replaceAll(/[^\x00-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

async function bundleEntries(/** @type {Output} */ output) {
  const { outputFiles = [] } = await esbuild.build({
    ...shared,
    outdir: output.folder,
    plugins: output.plugins,
    entryPoints: {
      bin: 'src/entries/bin.ts',
      'store-thread': 'src/entries/store-thread.ts',
      supervisor: 'src/entries/supervisor.ts',
      mcp: 'src/entries/mcp-shim.ts',
      acp: 'src/entries/acp-client.ts',
      files: 'src/entries/file-helper.ts',
      'code-cache': 'scripts/code-cache.ts',
    },
    format: 'cjs',
  })
  return new Map(outputFiles.map((file) => [path.basename(file.path), file.text]))
}

/** The mark at the start of a code file, which src/loader/built-code.ts compares. */
const markFor = (/** @type {string} */ hex) => `/* ${hex.slice(0, 26)} */`

/** Writes the supervisor's code: a mark, an index and the chunks. src/entries/supervisor.ts reads it. */
function writeSupervisor(
  /** @type {Output} */ { folder },
  /** @type {{ chunks: Map<string, string>, starter: string }} */ { chunks, starter },
  /** @type {string[][]} */ groups,
) {
  const grouped = new Set(groups.flat())
  const segments = [...groups, ...[...chunks.keys()].filter((name) => !grouped.has(name)).map((name) => [name])]
  const texts = segments.map(
    (names) => `({\n${names.map((name) => `${JSON.stringify(name)}: ${chunks.get(name)}`).join(',\n')}\n})`,
  )
  let at = 0
  const index = segments.map((names, nth) => {
    const length = texts[nth]?.length ?? 0
    at += length
    return { at: at - length, length, chunks: names }
  })
  const head = JSON.stringify(index)
  const hash = createHash('sha256').update(starter)
  for (const text of texts) hash.update(text)
  const mark = markFor(hash.digest('hex'))
  writeWhole(folder, 'supervisor.js.code', [mark, String(head.length).padStart(8, '0'), head, ...texts].join(''))
  // The mark covers all code, so each build gets its own copy (supervisor/start/library.ts).
  writeWhole(folder, 'supervisor.js', `${mark}\n${starter}`)
}

/** The work on a run begins with the first of these chunks, and its settlement with the second. */
const isWork = (/** @type {string} */ name) => name.startsWith('supervise-run-')
const isSettlement = (/** @type {string} */ name) => name.startsWith('settle-')

/** Groups the chunks by use: before the run is owned, during an ordinary run, and to settle it. */
function groupSupervisor(/** @type {string[]} */ loaded) {
  const work = loaded.findIndex(isWork)
  const settlement = loaded.findIndex(isSettlement)
  if (work === -1 || settlement <= work) throw new Error('the supervisor ended before it settled its run')
  return [loaded.slice(0, work), loaded.slice(work, settlement), loaded.slice(settlement)]
}

/** Packs only make the start faster. If the build cannot run its program, the program still works without them. */
function pack(
  /** @type {Output} */ { folder: dist },
  /** @type {Map<string, string>} */ chunks,
  /** @type {(loaded: string[]) => void} */ packSupervisor,
) {
  const program = path.join(dist, 'code-cache.js')
  for (const name of packNames) rmSync(path.join(dist, name), { force: true })
  run([program, dist, 'trace'])
  const stages = /** @type {string[][]} */ (JSON.parse(readFileSync(path.join(dist, 'stages.json'), 'utf8')))
  const mark = markFor(randomBytes(16).toString('hex'))
  const elsewhere = stages.slice(1).flatMap((names, at) => names.map((name) => [name, packNames[at + 1]]))
  for (const [at, names] of stages.entries()) {
    const parts = names.map((name) => `${JSON.stringify(name)}: ${chunks.get(name)}`)
    if (at === 0) parts.push(`"": ${JSON.stringify(Object.fromEntries(elsewhere))}`)
    writeWhole(dist, packNames[at] ?? '', `${mark}({\n${parts.join(',\n')}\n})`)
  }
  packSupervisor(JSON.parse(readFileSync(path.join(dist, 'supervisor.js.trace'), 'utf8')))
  run([program, dist, 'keep'])
  for (const name of ['stages.json', 'code-cache.js', 'supervisor.js.trace']) rmSync(path.join(dist, name))
}

function run(/** @type {string[]} */ args) {
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed:\n${stderr}`)
}

/** Writes by rename, so a process that starts during a build never reads an incomplete file. */
function writeWhole(/** @type {string} */ folder, /** @type {string} */ name, /** @type {string} */ text) {
  const unfinished = path.join(folder, `${name}.${process.pid}.tmp`)
  writeFileSync(unfinished, text)
  renameSync(unfinished, path.join(folder, name))
}

/** Deletes old chunks only after a week, because a running process may still load chunks of its own build. */
function removeOldFiles(/** @type {string} */ folder, /** @type {Set<string>} */ current) {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    const isOurs = name.endsWith('.js') || name.endsWith('.tmp')
    if (isOurs && !current.has(name) && Date.now() - statSync(file).mtimeMs > weekMs) rmSync(file, { force: true })
  }
}
