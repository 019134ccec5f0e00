import { explainTask } from '../operations/explain-task.ts'
import type { Call } from './call.ts'
import { oneLine } from './escape.ts'

/** Whoever gives a card to somebody else is told at once when a person has to read it first. */
export async function noticeApproval(call: Call, id: string): Promise<void> {
  // Inside a run the answer of the verb says so; whoever reads JSON reads nothing else.
  if (call.json || call.options.insideRun !== null) return
  const { reasons } = await call.ask(explainTask, { task: id })
  const waits = reasons.find(({ gate }) => gate === 'command_approval')
  if (waits !== undefined) call.notice(`It waits: ${oneLine(waits.message)}\n  → ${waits.clearedBy}`)
}
