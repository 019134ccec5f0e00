/** Checks every data invariant, and with `fix` mends what is derived. What only a person can judge is only reported. */
import type { EventDraft } from '../core/event.ts'
import type { TaskId } from '../core/ids.ts'
import type { Dialect } from './dialect.ts'
import { RULES } from './queries/doctor.ts'
import type { Rule } from './queries/doctor.ts'
import type { Finding } from './store.ts'
import { all, run } from './tx.ts'
import type { Row, Tx } from './tx.ts'

export async function examine(dialect: Dialect, fix: boolean): Promise<readonly Finding[]> {
  const faults = await dialect.integrity()
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

function* findAll(dialect: Dialect, fix: boolean): Tx<Finding[]> {
  const findings: Finding[] = []
  const repaired: { board: string; draft: EventDraft }[] = []
  for (const rule of RULES) {
    const rows = yield* all(rule.find)
    const fixes = fix && rule.fix !== undefined && rows.length > 0
    if (fixes && rule.fix) yield* run(rule.fix)
    findings.push(...rows.map((row) => findingOf(rule, row, fixes)))
    if (fixes) repaired.push(...rows.map((row) => ({ board: String(row.board), draft: repairOf(rule, row) })))
  }
  if (repaired.length > 0) {
    const createdAt = yield* dialect.now()
    yield* dialect.appendEvents(repaired.map((repair) => ({ ...repair, actor: 'muster:doctor', createdAt })))
  }
  return findings
}

const findingOf = (rule: Rule, row: Row, fixed: boolean): Finding => ({
  rule: rule.name,
  board: String(row.board),
  id: String(row.id),
  message: `Card ${String(row.id)} ${rule.message}${row.now == null ? '' : ` (${String(row.was)}, should be ${String(row.now)})`}.`,
  fixed,
})

const repairOf = (rule: Rule, row: Row): EventDraft => ({
  kind: 'repaired',
  taskId: row.id as TaskId,
  data: { rule: rule.name, was: row.was, now: row.now },
})
