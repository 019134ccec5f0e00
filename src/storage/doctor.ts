/** Checks every data invariant, and with `fix` mends what is derived. What only a person can judge is only reported. */
import type { TaskId } from '../core/ids.ts'
import type { Dialect, EventRow } from './dialect.ts'
import { getMeta, setMeta } from './migrate.ts'
import { RULES, recount, wrongCounts } from './queries/doctor.ts'
import type { Fault, Rule } from './queries/doctor.ts'
import { sql } from './sql.ts'
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
  // Rules over damaged pages would only guess, and a fix would spread the damage.
  if (storage.length > 0) return storage
  if (!fix) return dialect.read(() => findAll(dialect, false))
  const findings = await dialect.transact(() => findAll(dialect, true))
  if (findings.some((finding) => finding.fixed)) dialect.ring()
  return findings
}

/** After a boot that this store has not seen, its file is checked once; what a crash tore is found before it spreads. */
export async function checkAfterBoot(dialect: Dialect, bootId: string): Promise<readonly string[]> {
  if ((await dialect.read(() => getMeta('boot_id'))) === bootId) return []
  const faults = await dialect.integrity('quick')
  if (faults.length === 0) await dialect.transact(() => setMeta('boot_id', bootId))
  return faults
}

function* findAll(dialect: Dialect, fix: boolean): Tx<Finding[]> {
  // Locked first, so that the repair sees the same rows as the check: on a server nobody else writes in between.
  if (fix && dialect.engine === 'postgres')
    yield* run(sql`lock table task, link, run, tally, card_value in share row exclusive mode`)
  const now = yield* dialect.now()
  const findings: Finding[] = []
  const repaired: EventRow[] = []
  for (const rule of RULES) {
    const faults = yield* rule.find(now)
    const fixed = fix && rule.mend !== undefined
    if (fix && rule.mend && faults.length > 0) yield* rule.mend(faults)
    // One by one: a board may have more faults than a call may have arguments.
    for (const fault of faults) {
      findings.push(findingOf(rule, fault, fixed))
      if (fixed) repaired.push(repairOf(rule, fault, now))
    }
  }
  // Last: the repairs above change the counts.
  const counts = yield* countFindings(fix)
  if (repaired.length > 0) yield* dialect.appendEvents(repaired)
  return [...findings, ...counts]
}

/** The counters of each board against its cards. They follow from the cards, so no event tells of their repair. */
function* countFindings(fix: boolean): Tx<Finding[]> {
  const wrong = yield* all(wrongCounts())
  if (fix && wrong.length > 0) for (const statement of recount()) yield* run(statement)
  return wrong.map(({ board, status, assignee, counted, cards }): Finding => ({
    rule: 'tally',
    board: String(board),
    id: null,
    message: `Board ${board} counts ${counted} cards as ${status} for ${assignee === '' ? 'nobody' : assignee}, and has ${cards}.`,
    fixed: fix,
  }))
}

const findingOf = (rule: Rule, { board, id, was, now }: Fault, fixed: boolean): Finding => ({
  rule: rule.name,
  board,
  id,
  message: `Card ${id} ${rule.message}${now === null ? '' : ` (${was}, should be ${now})`}.`,
  fixed,
})

const repairOf = (rule: Rule, { board, id, was, now }: Fault, createdAt: number): EventRow => ({
  board,
  actor: 'muster:doctor',
  createdAt,
  draft: { kind: 'repaired', taskId: id as TaskId, data: { rule: rule.name, was, now } },
})
