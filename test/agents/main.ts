/** npm run test:agents: every agent CLI, the real one, against a model that says what a test tells it to. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Arena } from './arena.ts'
import { CAPABILITIES } from './capabilities.ts'
import { AGENTS, WITHOUT, cliOf, findClis, versionOf } from './clis.ts'
import type { AgentName } from './clis.ts'

const NOT_THERE = 2

/** What is wrong; null: nothing is, undefined: it was not tried. */
type Result = string | null | undefined

const wordFor = (result: Result): string => (result === undefined ? '–' : result === null ? 'yes' : 'no')

async function proveAll(cli: AgentName, folder: string): Promise<readonly Result[]> {
  const arena = await Arena.open(cli, folder)
  const results: Result[] = []
  try {
    for (const { name, prove } of CAPABILITIES) {
      const without = WITHOUT[cli]?.[name]
      if (without !== undefined) {
        results.push(undefined)
        process.stdout.write(`– ${cli} ${name}: ${without}\n`)
        continue
      }
      const fault = await prove(arena).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      results.push(fault)
      process.stdout.write(`${fault === null ? '✓' : '✗'} ${cli} ${name}${fault === null ? '' : `: ${fault}`}\n`)
    }
  } finally {
    await arena.close()
  }
  return results
}

const wanted = process.argv.slice(2)
const chosen = AGENTS.filter((cli) => wanted.length === 0 || wanted.includes(cli))
const installed = findClis(process.env)
if (installed === null) {
  process.stderr.write(
    'The agent CLIs are not here: set MUSTER_AGENT_CLIS to a folder with claude, codex, opencode and gemini, or let npm reach its registry.\n',
  )
  process.exitCode = NOT_THERE
} else {
  const home = mkdtempSync(join(tmpdir(), 'muster-versions-'))
  try {
    const table: [string, readonly Result[]][] = []
    for (const cli of chosen)
      table.push([`${cli} ${versionOf(installed.folder, cliOf(cli), home)}`, await proveAll(cli, installed.folder)])
    const width = Math.max(...table.map(([name]) => name.length)) + 2
    process.stdout.write(`\n${' '.repeat(width)}${CAPABILITIES.map(({ name }) => name).join('  ')}\n`)
    for (const [name, results] of table)
      process.stdout.write(
        `${name.padEnd(width)}${CAPABILITIES.map(({ name: what }, at) => wordFor(results[at]).padEnd(what.length)).join('  ')}\n`,
      )
    if (table.some(([, results]) => results.some((fault) => typeof fault === 'string'))) process.exitCode = 1
  } finally {
    rmSync(home, { recursive: true, force: true })
    if (installed.temporary !== null) rmSync(installed.temporary, { recursive: true, force: true })
  }
}
