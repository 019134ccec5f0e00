/**
 * Runs common commands. The build starts this program twice. The first time it finds out which chunks the commands
 * load. The second time these chunks are packed together, and it saves their compiled code.
 *
 *   node dist/code-cache.js <dist> trace   writes stages.json with the chunks of each stage, and supervisor.js.trace
 *                                          with the chunks of a supervisor, in the order of loading. A chunk of several
 *                                          stages is listed in the first stage.
 *   node dist/code-cache.js <dist> keep    writes the compiled code of each pack beside it
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ChunkLoader } from '../src/loader/chunk-loader.ts'
import type * as program from '../src/entries/program.ts'

/**
 * The commands of each stage: commands that list cards, that write, and that explain cards. Commands that only list
 * cards need no rules, schemas or agents.
 */
const STAGES = [
  [['list', '--json'], ['list']],
  [['create', 'a card', '--assignee', 'shell', '--json']],
  [['board', '--json'], ['board']],
]

const [, , dist = '', task = ''] = process.argv
const loader = new ChunkLoader(dist, require)
const home = mkdtempSync(join(tmpdir(), 'muster-build-'))
for (const name of Object.keys(process.env)) if (name.startsWith('MUSTER_')) delete process.env[name]
process.env['MUSTER_HOME'] = home

async function warm(): Promise<string[][]> {
  // Runs in a separate process, because `init` sets flags of V8. V8 rejects cached code that was compiled with other
  // flags.
  spawnSync(process.execPath, [join(dist, 'bin.js'), 'init'], { stdio: 'ignore' })
  const stages: (readonly string[])[] = []
  for (const lines of STAGES) {
    // For `trace`, each stage has a new loader, which also reports the chunks that an earlier stage has loaded.
    const own = task === 'keep' ? loader : new ChunkLoader(dist, require)
    const { runCommandLine } = own.load('program.js') as typeof program
    for (const argv of lines) await runLine(runCommandLine, argv)
    stages.push(own.loaded)
    if (task === 'keep') keepNew()
  }
  return withoutRepeats(stages)
}

/** Moves a chunk of several stages to the first pack, so that a command loads at most one more pack. */
function withoutRepeats([first = [], ...later]: readonly (readonly string[])[]): string[][] {
  const all = later.flat()
  const start = new Set([...first, ...all.filter((name, at) => all.indexOf(name) !== at)])
  return [[...start], ...later.map((names) => names.filter((name) => !start.has(name)))]
}

async function runLine(run: typeof program.runCommandLine, argv: readonly string[]): Promise<void> {
  await run(argv, { folder: dist, holdCode: () => {} })
  if (process.exitCode !== 0) throw new Error(`muster ${argv.join(' ')} exited with ${process.exitCode}`)
}

const kept = new Set<string>()

/** Saves the compiled code after each stage, so that code for later stages does not slow down the earlier ones. */
function keepNew(): void {
  for (const [file, { script, mark }] of loader.scripts) {
    if (!file.endsWith('.pack') || kept.has(file)) continue
    kept.add(file)
    writeFileSync(join(dist, `${file}.cache.tmp`), Buffer.concat([mark, script.createCachedData()]))
    renameSync(join(dist, `${file}.cache.tmp`), join(dist, `${file}.cache`))
  }
}

/** Runs a card with a supervisor that saves a list of its chunks (`trace`) or its compiled code (`keep`). */
async function warmSupervisor(): Promise<void> {
  const { runCommandLine } = loader.load('program.js') as typeof program
  const note = join(dist, `supervisor.js.${task === 'keep' ? 'cache' : 'trace'}`)
  rmSync(note, { force: true })
  const noting = `process.argv[3] = '${task}'; require(${JSON.stringify(join(dist, 'supervisor.js'))})\n`
  writeFileSync(join(home, 'supervisor.js'), noting)
  await runLine(runCommandLine, ['create', 'a run', '--assignee', 'shell', '--body', 'true', '--json'])
  await runCommandLine(['dispatch', '--wait', '--json'], { folder: home, holdCode: () => {} })
  for (let looks = 0; !existsSync(note) && looks < 100; looks += 1) await sleep(20)
}

void warm()
  .then(async (stages) => {
    await warmSupervisor()
    return stages
  })
  .then((stages) => writeFileSync(join(dist, 'stages.json'), JSON.stringify(stages)))
  .finally(() => rmSync(home, { recursive: true, force: true }))
