/** Prints warnings after a command has changed a card. */
import { questionRounds } from '../core/briefing/rounds.ts'
import { explainTask } from '../operations/cards/explain-task.ts'
import { showTask } from '../operations/cards/show-task.ts'
import type { Invocation } from './invocation.ts'
import { oneLine } from './output/escape.ts'
import { cutTo } from './render/width.ts'

const QUESTION_MAX = 120

/**
 * Warns after `unblock` without a text if the agent asked a question and got no answer. Errors of this function are
 * ignored, because the card is already unblocked.
 */
export async function warnUnanswered(cli: Invocation, id: string): Promise<void> {
  if (cli.json || cli.options.insideRun !== null) return
  const question = await openQuestion(cli, id).catch(() => null)
  if (question === null) return
  cli.notice(
    `Warning: the agent of ${id} asked "${cutTo(oneLine(question), QUESTION_MAX)}" and got no answer. To answer now: muster comment ${id} '…'. Next time: muster answer ${id} '…'.`,
  )
}

async function openQuestion(cli: Invocation, id: string): Promise<string | null> {
  const { runs, answers, comments, events } = await cli.ask(showTask, { task: id })
  const [latest] = questionRounds({ runs, answers, comments })
  if (latest?.question == null || latest.verb !== null || latest.answers.length > 0) return null
  const isAsked = events.findLast(({ kind }) => kind === 'blocked')?.data['kind'] === 'needs_input'
  return isAsked && latest.question.by?.startsWith('agent:') === true ? latest.question.text : null
}

/** Warns if the commands of a newly assigned card need approval. */
export async function noticeApproval(cli: Invocation, id: string): Promise<void> {
  // Inside a run, the answer of the command already reports the missing approval. With --json, only the answer is
  // printed.
  if (cli.json || cli.options.insideRun !== null) return
  const { reasons } = await cli.ask(explainTask, { task: id })
  const unapproved = reasons.find(({ gate }) => gate === 'command_approval')
  if (unapproved === undefined) return
  const { reasonSentence: sentence, wayOut } = await import('./render/reason-text.ts')
  cli.notice(`The card waits: ${sentence(unapproved)}\n  → ${wayOut(unapproved)}`)
}
