/** Who can read the log of a run. */
import { dirname } from 'node:path'
import { HARNESS_NAMES, loadHarness } from '../../harnesses/index.ts'
import { readAt } from '../../runs/log/read-log.ts'
import { runDirectoryAt } from '../../runs/files/run-directory.ts'
import { readTicket } from '../start/ticket.ts'
import type { ReadLine } from '../../harnesses/stream/entry.ts'

const BEGINNING_BYTES = 64 * 1024

/**
 * By what the run was started with; where that is gone or of another build, by what its log looks like. The agent's file
 * is not asked: it may say something else by now. Null: it is text.
 */
export async function findReader(log: string): Promise<ReadLine | null> {
  const ticket = readTicket(runDirectoryAt(dirname(log)))
  const harness = ticket === null ? null : await loadHarness(ticket.harness)
  return harness === null ? guessReader(log) : harness.readLine
}

/** Every program begins by naming its session, each in words of its own. */
async function guessReader(log: string): Promise<ReadLine | null> {
  const lines = (await readAt(log, 0, BEGINNING_BYTES)).toString('utf8').split('\n')
  const harnesses = await Promise.all(HARNESS_NAMES.map((name) => loadHarness(name)))
  const readers = harnesses.flatMap(({ readLine }) => readLine ?? [])
  for (const line of lines) {
    // The last that claims it: Hermes begins almost as Claude Code does, and looks closer.
    const reader = readers.findLast((readLine) => readLine(line).some(({ kind }) => kind === 'session'))
    if (reader !== undefined) return reader
  }
  return null
}
