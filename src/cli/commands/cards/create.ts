import { BoardError } from '../../../core/errors.ts'
import { BLOCKED, RUNNING } from '../../../core/status.ts'
import { initialStatusInput } from '../../../core/vocabulary.ts'
import { createEach } from '../../../operations/cards/create-each.ts'
import { createTask } from '../../../operations/cards/create-task.ts'
import type { TaskView } from '../../../storage/store.ts'
import { createFlags, newCardFields } from '../../card-flags.ts'
import { givenGoal, goalFlags } from '../../goal-flags.ts'
import { tournamentFlags } from '../../tournament-flags.ts'
import type { Invocation } from '../../invocation.ts'
import { oneLine } from '../../output/escape.ts'
import * as flag from '../../flags.ts'
import { defineCommand } from '../../command.ts'
import type { Flag } from '../../command.ts'
import type { OperationInput } from '../../../operations/shared/operation.ts'
import { readText } from '../../read-text.ts'
import { titlesIn } from '../../titles-in.ts'

const { withBrief, filling } = flag

/** The flag that creates a card for each line of a file or of standard input. */
const eachLine: Flag<readonly string[]> = {
  value: '<file>',
  describe: 'create a card for each line of this file; - reads standard input',
  brief: 'card per line',
  repeatable: false,
  completes: 'file',
  read: async (given, world) => {
    const typed = given.at(-1) ?? '-'
    return titlesIn(await readText(world, typed === '-' || typed.startsWith('@') ? typed : `@${typed}`))
  },
}

export const command = defineCommand({
  group: 'cards',
  operation: createTask,
  makesHome: true,
  args: { title: { ...flag.optionalArgument(), brief: 'what to do' } },
  flags: {
    ...createFlags,
    parent: withBrief('finishes first', filling('parents', flag.each(flag.card('a card that must finish first')))),
    initialStatus: withBrief(
      'blocked, or running (the default)',
      filling(
        'blocked',
        flag.choice([BLOCKED, RUNNING], 'blocked: wait for a person. Default (running): start when the card is ready'),
      ),
    ),
    triage: withBrief('rough idea', flag.toggle()),
    ...goalFlags,
    ...tournamentFlags,
    each: eachLine,
  },
  aliases: ['add', 'new'],
  examples: ['muster create "Say hello" --assignee shell --body "echo hello"'],
  run: async (
    cli,
    {
      title,
      each: titles,
      parent,
      initialStatus,
      triage,
      goal,
      goalMaxTurns,
      judge,
      bestOf,
      agents = [],
      pick,
      ...fields
    },
  ) => {
    const given: Readonly<Record<string, unknown>> = fields
    const common = {
      workspace: given['workspace'] ?? null,
      parents: [...(parent ?? [])],
      triage,
      blocked: initialStatusInput(initialStatus).blocked,
      goal: givenGoal({ goal, goalMaxTurns, judge }) ?? null,
    }
    const isTournament = bestOf !== undefined || agents.length > 0 || pick !== undefined
    if (titles !== undefined && isTournament)
      throw new BoardError('invalid_input', '--best-of creates one tournament, so it cannot be used with --each.')
    if (titles !== undefined) return createAll(cli, { title, titles, given, common })
    if (title === undefined)
      throw new BoardError('invalid_input', 'muster create needs <title>. For help: muster create --help')
    const { task, entries, created, differs, warning } = await cli.ask(createTask, {
      ...newCardFields({ ...given, title }),
      ...common,
      bestOf: bestOf ?? null,
      agents,
      pick: pick ?? null,
      // The cast is safe, because the table of card fields gives each flag the type of its field.
    } as OperationInput<typeof createTask>)
    cli.answer(task, [newCardText(task, created), ...entries.map((id) => `  entry ${id}`)].join('\n'))
    if (cli.json) return
    if (warning !== null) cli.notice(oneLine(warning))
    await printNotices(cli, task, differs)
  },
})

interface Batch {
  readonly title: string | undefined
  readonly titles: readonly string[]
  readonly given: Readonly<Record<string, unknown>>
  readonly common: object
}

/** Creates a card for each title. Prints the id and the title of each card on one line. */
async function createAll(cli: Invocation, { title, titles, given, common }: Batch): Promise<void> {
  if (title !== undefined) throw new BoardError('invalid_input', 'Give a title or --each, not both.')
  const { title: _, idempotencyKey, ...fields } = newCardFields(given)
  if (idempotencyKey !== null)
    throw new BoardError('invalid_input', 'An idempotency key is for one card, not for --each.')
  const cards = await cli.ask(createEach, { ...fields, ...common, titles } as OperationInput<typeof createEach>)
  cli.answer(cards, cards.map(({ id, title: made }) => `${id}  ${oneLine(made)}`).join('\n'))
  cli.notice(`Created ${cards.length} ${cards.length === 1 ? 'card' : 'cards'}.`)
}

const newCardText = (task: TaskView, created: boolean): string =>
  `${created ? 'Created' : 'Found'} ${task.id}  (${task.status}, assignee=${task.assignee === null ? '-' : oneLine(task.assignee)})`

/** Prints notices for people. With --json, the caller does not call this function. */
async function printNotices(cli: Invocation, task: TaskView, differs: readonly string[]): Promise<void> {
  if (differs.length > 0) cli.notice(`A card with this key already exists, with a different ${differs.join(', ')}.`)
  if (task.deletedAt !== null) cli.notice(`The card is in the trash. To restore it: muster undelete ${task.id}`)
  if (cli.insideRun) return
  const { startHint } = await import('../../start-hint.ts')
  const hint = await startHint(cli, task)
  if (hint !== null) cli.notice(hint)
}
