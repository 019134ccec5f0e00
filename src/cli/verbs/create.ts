import { createTask } from '../../operations/create-task.ts'
import type { TaskView } from '../../storage/store.ts'
import { dispatcherHint } from '../dispatcher-hint.ts'
import { oneLine } from '../escape.ts'
import { agentOrNone, card, duration, each, filling, longText, text, toggle, whole, word } from '../flags.ts'
import { defineVerb } from '../verb.ts'

export const verb = defineVerb({
  group: 'cards',
  operation: createTask,
  makesHome: true,
  args: { title: word('what is to be done, in a line') },
  flags: {
    body: longText('the rest; - reads it from standard input, @file from a file'),
    assignee: agentOrNone('who does it (none: nobody)'),
    parent: filling('parents', each(card('a card that must be done first'))),
    priority: whole({}, 'higher starts sooner'),
    idempotencyKey: text('<key>', 'a second create with this key makes no second card'),
    tenant: text('<name>', 'whom it is for'),
    maxRetries: whole({ min: 1 }, 'failures in a row that open the breaker'),
    maxRuntime: filling('maxRuntimeMs', duration('how long a run may take: 90, 90s, 30m, 2h')),
    hold: filling('held', toggle('do not start it before it is released')),
  },
  examples: ['muster create "Say hello" --assignee shell --body "echo hello"'],
  run: async (call, { title, parent, maxRuntime, hold, ...given }) => {
    const { task, created, differs } = await call.ask(createTask, {
      title,
      body: given.body ?? null,
      assignee: given.assignee ?? null,
      parents: [...(parent ?? [])],
      priority: given.priority ?? 0,
      idempotencyKey: given.idempotencyKey ?? null,
      tenant: given.tenant ?? null,
      maxRetries: given.maxRetries ?? null,
      maxRuntimeMs: maxRuntime ?? null,
      held: hold,
    })
    if (differs.length > 0) call.notice(`The card with this key was there already, with another ${differs.join(', ')}.`)
    call.answer(task, sentence(task, created))
    const hint = await dispatcherHint((await call.board('write')).store, task)
    if (hint !== null) call.notice(hint)
  },
})

const sentence = (task: TaskView, created: boolean): string =>
  `${created ? 'Created' : 'Found'} ${task.id}  (${task.status}, assignee=${task.assignee === null ? '-' : oneLine(task.assignee)})`
