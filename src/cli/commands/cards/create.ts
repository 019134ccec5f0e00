import { BLOCKED, RUNNING } from '../../../core/status.ts'
import { initialStatusInput } from '../../../core/vocabulary.ts'
import { createTask } from '../../../operations/cards/create-task.ts'
import type { TaskView } from '../../../storage/store.ts'
import { createFlags, newCardFields } from '../../card-flags.ts'
import type { Invocation } from '../../invocation.ts'
import { oneLine } from '../../escape.ts'
import * as flag from '../../flags.ts'
import { defineCommand } from '../../command.ts'
import type { OperationInput } from '../../../operations/shared/operation.ts'

const { withBrief, filling } = flag

export const command = defineCommand({
  group: 'cards',
  operation: createTask,
  makesHome: true,
  args: { title: flag.argument() },
  flags: {
    ...createFlags,
    parent: withBrief('finishes first', filling('parents', flag.each(flag.card('a card that must finish first')))),
    initialStatus: withBrief(
      'blocked, or running (the default)',
      filling(
        'blocked',
        flag.choice([BLOCKED, RUNNING], 'blocked: wait for a person; running (default): start when it is ready'),
      ),
    ),
    triage: withBrief('rough idea', flag.toggle()),
  },
  notYet: ['goal', 'judge', 'goal-max-turns'],
  aliases: ['add', 'new'],
  examples: ['muster create "Say hello" --assignee shell --body "echo hello"'],
  run: async (cli, { title, parent, initialStatus, triage, ...fields }) => {
    const given: Readonly<Record<string, unknown>> = fields
    const { task, created, differs, warning } = await cli.ask(createTask, {
      ...newCardFields({ ...given, title }),
      workspace: given['workspace'] ?? null,
      parents: [...(parent ?? [])],
      triage,
      blocked: initialStatusInput(initialStatus).blocked,
      // The table of card fields gives each flag the type of its field.
    } as OperationInput<typeof createTask>)
    cli.answer(task, newCardText(task, created))
    if (cli.json) return
    if (warning !== null) cli.notice(oneLine(warning))
    await printNotices(cli, task, differs)
  },
})

const newCardText = (task: TaskView, created: boolean): string =>
  `${created ? 'Created' : 'Found'} ${task.id}  (${task.status}, assignee=${task.assignee === null ? '-' : oneLine(task.assignee)})`

/** Notices are only for people: a script that reads JSON does not need them. */
async function printNotices(cli: Invocation, task: TaskView, differs: readonly string[]): Promise<void> {
  if (differs.length > 0) cli.notice(`A card with this key already exists, with a different ${differs.join(', ')}.`)
  if (task.deletedAt !== null) cli.notice(`The card is in the trash. To restore it: muster undelete ${task.id}`)
  if (cli.insideRun) return
  const { startHint } = await import('../../start-hint.ts')
  const hint = await startHint(cli, task)
  if (hint !== null) cli.notice(hint)
}
