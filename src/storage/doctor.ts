/**
 * Checks every rule of the data. With `fix`, it also repairs values that can be computed again. Other faults need a
 * person.
 */
import type { TaskId } from '../core/ids.ts'
import type { Dialect, EventRow } from './dialect.ts'
import { getMeta, setMeta } from './migrate.ts'
import { RULES, recount, wrongCounts } from './queries/doctor.ts'
import type { BrokenRow, DoctorRule } from './queries/doctor.ts'
import { unindexedNotes } from './queries/unindexed-notes.ts'
import { raw, sql } from './sql.ts'
import type { Finding } from './store.ts'
import { all, run } from './tx.ts'
import type { Tx } from './tx.ts'

export async function examine(dialect: Dialect, fix: boolean): Promise<readonly Finding[]> {
  const faults = await dialect.integrity('full')
  const storage = faults.map((message): Finding => ({
    rule: 'integrity',
    board: null,
    id: null,
    message,
    fixed: false,
  }))
  // If pages of the file are damaged, the rules would report false findings, and a repair would spread the damage.
  if (storage.length > 0) return storage
  if (!fix) return dialect.read(() => findAll(dialect, false))
  const findings = await dialect.transact(() => findAll(dialect, true))
  if (findings.some((finding) => finding.fixed)) dialect.ring()
  return findings
}

/**
 * Checks the file of the store once after each boot of the machine. So damage from a crash is found before it spreads.
 */
export async function checkAfterBoot(dialect: Dialect, bootId: string): Promise<readonly string[]> {
  if ((await dialect.read(() => getMeta('boot_id'))) === bootId) return []
  const faults = await dialect.integrity('quick')
  if (faults.length === 0) await dialect.transact(() => setMeta('boot_id', bootId))
  return faults
}

function* findAll(dialect: Dialect, fix: boolean): Tx<Finding[]> {
  // Locks the tables on a server, so that no other process writes between the check and the repair.
  if (fix && dialect.engine === 'postgres')
    // A lock on `task` stops all writers except the trigger that merges the card counters in `tally`.
    for (const table of ['task', 'tally']) yield* run(sql`lock table ${raw(table)} in exclusive mode`)
  const now = yield* dialect.now()
  const findings: Finding[] = []
  const repaired: EventRow[] = []
  for (const rule of [...RULES, unindexedNotes(dialect.engine)]) {
    const faults = yield* rule.find(now)
    const fixed = fix && rule.repair !== undefined
    if (fix && rule.repair && faults.length > 0) yield* rule.repair(faults)
    // Adds one fault at a time. `push(...all)` would exceed the limit on arguments for a board with very many faults.
    for (const fault of faults) {
      findings.push(findingOf(rule, fault, fixed))
      if (fixed) repaired.push(repairedEvent(rule, fault, now))
    }
  }
  // The counts are compared last, because the repairs above change them.
  const counts = yield* countFindings(fix)
  if (repaired.length > 0) yield* dialect.appendEvents(repaired)
  return [...findings, ...counts]
}

/**
 * Compares the counters of each board with its cards. A repair of counters writes no event, because no card changes.
 */
function* countFindings(fix: boolean): Tx<Finding[]> {
  const wrong = yield* all(wrongCounts())
  if (fix && wrong.length > 0) for (const statement of recount()) yield* run(statement)
  return wrong.map(({ board, status, assignee, counted, cards }): Finding => ({
    rule: 'tally',
    board: String(board),
    id: null,
    message: `Board ${board} counts ${counted} ${status} cards ${assignee === '' ? 'without an assignee' : `of ${assignee}`}, but has ${cards}.`,
    fixed: fix,
  }))
}

const findingOf = (rule: DoctorRule, { board, id, was, now }: BrokenRow, fixed: boolean): Finding => ({
  rule: rule.name,
  board,
  id,
  message: `Card ${id} ${rule.message}${now === null ? '' : ` (${was}, should be ${now})`}.`,
  fixed,
})

const repairedEvent = (rule: DoctorRule, { board, id, was, now }: BrokenRow, createdAt: number): EventRow => ({
  board,
  actor: 'muster:doctor',
  createdAt,
  draft: { kind: 'repaired', taskId: id as TaskId, data: { rule: rule.name, was, now } },
})
