import { createTask } from '../../../operations/cards/create-task.ts'
import type { TaskView } from '../../../storage/store.ts'
import { createFlags, newCardFields } from '../../card-flags.ts'
import type { Invocation } from '../../invocation.ts'
import { oneLine } from '../../escape.ts'
import * as flag from '../../flags.ts'
import { defineCommand } from '../../command.ts'
import type { InputOf } from '../../command.ts'

const { withBrief: briefly, filling } = flag

export const command = defineCommand({
  group: 'cards',
  operation: createTask,
  makesHome: true,
  args: { title: flag.word() },
  flags: {
    ...createFlags,
    parent: briefly('finishes first', filling('parents', flag.each(flag.card('a card that must finish first')))),
    initialStatus: briefly(
      'blocked, or running (the default)',
      filling('blocked', flag.choice(['blocked', 'running'], 'blocked waits for a person; running is the default')),
    ),
    triage: briefly('rough idea', flag.toggle()),
  },
  notYet: ['goal', 'judge', 'goal-max-turns'],
  examples: ['muster create "Say hello" --assignee shell --body "echo hello"'],
  run: async (call, { title, parent, initialStatus, triage, ...fields }) => {
    const given: Readonly<Record<string, unknown>> = fields
    const { task, created, differs, warning } = await call.ask(createTask, {
      ...newCardFields({ ...given, title }),
      workspace: given['workspace'] ?? null,
      parents: [...(parent ?? [])],
      triage,
      blocked: initialStatus === 'blocked',
      // The table of card fields gives each flag the type of its field.
    } as InputOf<typeof createTask>)
    call.answer(task, sentence(task, created))
    if (call.json) return
    if (warning !== null) call.notice(oneLine(warning))
    await remark(call, task, differs)
  },
})

const sentence = (task: TaskView, created: boolean): string =>
  `${created ? 'Created' : 'Found'} ${task.id}  (${task.status}, assignee=${task.assignee === null ? '-' : oneLine(task.assignee)})`

/** Notices for a person at the terminal; a script that reads JSON does not wait for them. */
async function remark(call: Invocation, task: TaskView, differs: readonly string[]): Promise<void> {
  if (differs.length > 0) call.notice(`A card with this key already exists, with a different ${differs.join(', ')}.`)
  if (task.deletedAt !== null) call.notice(`The card is in the trash. To restore it: muster undelete ${task.id}`)
  if (call.insideRun) return
  const { startHint } = await import('../../start-hint.ts')
  const hint = await startHint(call, task)
  if (hint !== null) call.notice(hint)
}
