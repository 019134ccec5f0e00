import { explainTask } from '../operations/cards/explain-task.ts'
import type { Invocation } from './invocation.ts'
import { sentence, wayOut } from './render/reason-text.ts'

/** After a card is assigned, warns at once when its commands need approval. */
export async function noticeApproval(cli: Invocation, id: string): Promise<void> {
  // Inside a run the command's answer reports it; with --json nothing else is printed.
  if (cli.json || cli.options.insideRun !== null) return
  const { reasons } = await cli.ask(explainTask, { task: id })
  const waits = reasons.find(({ gate }) => gate === 'command_approval')
  if (waits !== undefined) cli.notice(`The card waits: ${sentence(waits)}\n  → ${wayOut(waits)}`)
}
