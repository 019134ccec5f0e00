import { BoardError } from '../../core/errors.ts'
import { acceptsAnswer } from '../../core/status.ts'
import type { Status } from '../../core/vocabulary.ts'
import type { TaskView } from '../../storage/store.ts'
import { actOnCard, answerFrom, cardNow } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export const answerQuestion = defineOperation({
  name: 'answer',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'card',
  summary: 'Answer the question of a blocked card, and let the card continue.',
  schemas: ({ z, commentBody, cardRef, taskView }) => ({
    input: z.object({ task: cardRef, text: commentBody.describe('The answer, shown first in the next briefing') }),
    output: taskView,
  }),
  run: async (context, { task: typed, text }) => {
    const task = await cardNow(context.store, await resolveTask(context.store, typed))
    if (!acceptsAnswer(task)) throw asksNothing(task)
    return actOnCard(context, task.id, {
      verb: 'unblock',
      input: { ...answerFrom(text), reset: false },
      participle: 'answered',
    })
  },
})

function asksNothing(task: TaskView): BoardError {
  const { id, status, blockKind } = task
  return new BoardError('wrong_status', `Card ${id} has no open question: ${INSTEAD[status](task)}`, {
    details: { id, status, blockKind },
  })
}

const comment = (id: string): string => `To leave a note for its agent: muster comment ${id} '…'`

/** The command that replaces `answer` for a card that asks no question, by status. */
const INSTEAD: Readonly<Record<Status, (task: TaskView) => string>> = {
  triage: ({ id, blockKind }) =>
    blockKind === null
      ? `it is in triage. To make it ready: muster promote ${id}`
      : `it was blocked too often and is in triage. To make it ready with an answer: muster promote ${id} --reason '…'`,
  todo: ({ id }) => `it waits for other cards. ${comment(id)}`,
  scheduled: ({ id }) => `it is scheduled. To start it now: muster unblock ${id}`,
  ready: ({ id }) => `it is ready to start. ${comment(id)}`,
  running: ({ id }) => `it is running. ${comment(id)}`,
  review: ({ id }) =>
    `it waits for a review. To accept it: muster approve ${id}. To send it back: muster request-changes ${id} '…'`,
  blocked: ({ id, blockKind }) =>
    blockKind === 'attempts'
      ? `it failed too often. To let it try again: muster unblock ${id} --reset`
      : `it stopped. To let it continue: muster unblock ${id} --reason '…'`,
  done: ({ id }) => `it is done. To continue it with an instruction: muster reopen ${id} --reason '…'`,
  archived: ({ id }) => `it is archived. To continue it with an instruction: muster reopen ${id} --reason '…'`,
}
