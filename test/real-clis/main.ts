/**
 * Runs every real agent CLI against a scripted model: npm run test:agents [-- [--record] [--only=scene,…] cli…].
 * `--record` replaces the recordings in test/fixtures/recordings with the output of the CLIs.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Testbed } from './testbed.ts'
import { CAPABILITIES } from './capabilities.ts'
import { AGENTS, WITHOUT, cliOf, findClis, versionOf } from './clis.ts'
import type { AgentName } from './clis.ts'

const NOT_FOUND = 2
const INTERRUPTED = 130

/** The reason why a scene failed, null if it passed, or undefined if it was not run. */
type Result = string | null | undefined

interface Line {
  readonly name: string
  readonly results: readonly Result[]
}

const wordFor = (result: Result): string => (result === undefined ? '–' : result === null ? 'yes' : 'no')

const words = process.argv.slice(2)
const wanted = words.filter((word) => !word.startsWith('--'))
/** The scenes in an argument such as `--only=sandbox,stop`. */
const only =
  words
    .find((word) => word.startsWith('--only='))
    ?.slice('--only='.length)
    .split(',') ?? null
const scenes = CAPABILITIES.filter(({ name }) => only === null || only.includes(name))
const unknown = wanted.filter((word) => !AGENTS.some((agent) => agent === word))
const chosen = AGENTS.filter((agent) => wanted.length === 0 || wanted.includes(agent))
const clis = [...new Set(chosen.map(cliOf))]
const isRecording = words.includes('--record')
const interruption = new AbortController()
/**
 * The folder for all files of the tests, which is removed at the end. It is not in `/tmp`, because sandboxes allow
 * commands to write there.
 */
const root = mkdtempSync('/var/tmp/muster-agents-')
const testbeds = new Set<Testbed>()

async function clear(): Promise<void> {
  await Promise.all([...testbeds].map((testbed) => testbed.close()))
  testbeds.clear()
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    interruption.abort()
    void clear().finally(() => process.exit(INTERRUPTED))
  })

async function prove(agent: AgentName, bin: string): Promise<Line> {
  const version = versionOf(bin, cliOf(agent), join(root, 'versions'))
  const testbed = await Testbed.open(agent, bin, join(root, agent.replace(':', '-')))
  testbeds.add(testbed)
  const results: Result[] = []
  for (const { name, prove: attempt } of scenes) {
    const without = WITHOUT[agent]?.[name]
    if (without !== undefined) {
      results.push(undefined)
      process.stdout.write(`– ${agent} ${name}: ${without}\n`)
      continue
    }
    // The output of a program is not recorded if an earlier scene failed.
    if (isRecording && name === 'events' && results.every((fault) => fault === null)) testbed.recorder.write(version)
    const fault = await attempt(testbed).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    if (interruption.signal.aborted) break
    results.push(fault)
    process.stdout.write(`${fault === null ? '✓' : '✗'} ${agent} ${name}${fault === null ? '' : `: ${fault}`}\n`)
  }
  testbeds.delete(testbed)
  await testbed.close()
  return { name: `${agent} ${version}`, results }
}

/** Tests as many agents at a time as the machine has cores. The slowest agents begin first. */
async function proveAll(bin: string): Promise<readonly Line[]> {
  const waiting = chosen.toReversed()
  const lines = new Map<AgentName, Line>()
  const lane = async (): Promise<void> => {
    for (let agent = waiting.shift(); agent !== undefined; agent = waiting.shift())
      lines.set(agent, await prove(agent, bin))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, lane))
  return chosen.flatMap((agent) => lines.get(agent) ?? [])
}

function printTable(lines: readonly Line[]): void {
  const width = Math.max(...lines.map(({ name }) => name.length)) + 2
  const row = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(width)}${scenes.map(({ name: what }, at) => (cells[at] ?? '').padEnd(what.length)).join('  ')}`
  const heads = scenes.map(({ name }) => name)
  const rows = lines.map(({ name, results }) => row(name, results.map(wordFor)))
  process.stdout.write(`\n${[row('', heads), ...rows].join('\n')}\n`)
}

async function main(): Promise<number> {
  if (unknown.length > 0) {
    process.stderr.write(`Unknown agent CLI ${unknown.join(', ')}: choose among ${AGENTS.join(', ')}.\n`)
    return NOT_FOUND
  }
  const named = process.env['MUSTER_AGENT_CLIS']
  const bin = await findClis(clis, { named, temporary: join(root, 'clis'), signal: interruption.signal })
  if (bin === null) {
    process.stderr.write(
      `The agent CLIs were not found: set MUSTER_AGENT_CLIS to a folder with ${clis.join(', ')}, or give npm access to its registry.\n`,
    )
    return NOT_FOUND
  }
  const started = performance.now()
  const lines = await proveAll(bin)
  printTable(lines)
  process.stdout.write(`\ntook ${((performance.now() - started) / 1000).toFixed(0)} s\n`)
  return lines.some(({ results }) => results.some((fault) => typeof fault === 'string')) ? 1 : 0
}

try {
  process.exitCode = await main()
} finally {
  await clear()
}
