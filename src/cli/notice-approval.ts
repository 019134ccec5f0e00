import { explainTask } from '../operations/cards/explain-task.ts'
import type { Call } from './call.ts'
import { sentence, wayOut } from './render/reason-text.ts'

/** After a card is assigned, warns at once when its commands need approval. */
export async function noticeApproval(call: Call, id: string): Promise<void> {
  // Inside a run the command's answer reports it; with --json nothing else is printed.
  if (call.json || call.options.insideRun !== null) return
  const { reasons } = await call.ask(explainTask, { task: id })
  const waits = reasons.find(({ gate }) => gate === 'command_approval')
  if (waits !== undefined) call.notice(`The card waits: ${sentence(waits)}\n  → ${wayOut(waits)}`)
}
