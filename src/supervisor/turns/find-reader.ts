/** Finds the harness that can parse the log of a run. */
import { dirname } from 'node:path'
import { HARNESS_NAMES, loadHarness } from '../../harnesses/index.ts'
import { readAt } from '../../runs/log/read-log.ts'
import { runDirectoryAt } from '../../runs/files/run-directory.ts'
import { readTicket } from '../start/ticket.ts'
import type { ReadLine } from '../../harnesses/stream/entry.ts'

const BEGINNING_BYTES = 64 * 1024

/**
 * Finds the parser for a log. The run's ticket names the harness, because the agent's file may have changed since the
 * run. If the ticket is missing or from another build, the content of the log decides. Returns null if the log is plain
 * text.
 */
export async function findReader(log: string): Promise<ReadLine | null> {
  const ticket = readTicket(runDirectoryAt(dirname(log)))
  const harness = ticket === null ? null : await loadHarness(ticket.harness)
  return harness === null ? guessReader(log) : harness.readLine
}

/** Guesses the parser from the content of a log. Each CLI's output begins with the session, in the CLI's own format. */
async function guessReader(log: string): Promise<ReadLine | null> {
  const lines = (await readAt(log, 0, BEGINNING_BYTES)).toString('utf8').split('\n')
  const harnesses = await Promise.all(HARNESS_NAMES.map((name) => loadHarness(name)))
  const readers = harnesses.flatMap(({ readLine }) => readLine ?? [])
  for (const line of lines) {
    // The logs of Hermes and Claude Code begin almost alike. The parser of Hermes is stricter and comes later in the
    // list, so the last match is used.
    const reader = readers.findLast((readLine) => readLine(line).some(({ kind }) => kind === 'session'))
    if (reader !== undefined) return reader
  }
  return null
}
