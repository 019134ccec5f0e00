import { FILTER_FIELDS } from '../../../core/card-fields.ts'
import { asksQuestion, followsParents } from '../../../core/status.ts'
import { STATUSES } from '../../../core/vocabulary.ts'
import { countLeftOut, listTasks } from '../../../operations/cards/list-tasks.ts'
import { RECENT_MS } from '../../../operations/cards/recent.ts'
import { SORTS } from '../../../storage/store.ts'
import { definedOnly } from '../../../util/objects.ts'
import { filterFlags, givenFields } from '../../card-flags.ts'
import { agentOrNone, card, choice, each, filling, hidden, line, toggle, whole, withBrief } from '../../flags.ts'
import { defineCommand } from '../../command.ts'
import type { Invocation } from '../../invocation.ts'
import type { HiddenCount, ListedTask } from '../../../storage/store.ts'

export const command = defineCommand({
  group: 'look',
  operation: listTasks,
  flags: {
    ...filterFlags,
    status: each(choice(STATUSES, 'only cards in this status; repeat for several statuses')),
    assignee: each(
      withBrief(
        'only cards of this agent; none: unassigned cards',
        agentOrNone('only cards of this agent; none: unassigned cards; repeat for several agents'),
      ),
    ),
    mine: toggle('only cards assigned to you'),
    workflowTemplateId: hidden(filling('workflow', line('<id>', 'the same as --workflow'))),
    currentStepKey: hidden(filling('step', line('<key>', 'the same as --step'))),
    parent: card('only children of this card'),
    text: line(),
    archived: toggle('include archived cards'),
    all: toggle('include cards that finished over a day ago'),
    sort: withBrief(
      'the order: updated-desc, title, priority, …',
      choice(SORTS, 'the order (default: priority, then age)'),
    ),
    limit: whole({ min: 1 }, 'at most this many cards'),
    after: card('only cards after this one in the order'),
  },
  without: {
    unfinishedAt: 'The command sets this field for a list on a terminal, unless --all is given.',
    statuses: 'Repeat --status to list several statuses.',
    assignees: 'Repeat --assignee to list the cards of several agents.',
  },
  aliases: ['ls'],
  examples: ['muster list --status blocked --label bug', 'muster list --mine --sort updated-desc'],
  run: async (
    cli,
    {
      status,
      assignee,
      mine,
      archived,
      all,
      workflowTemplateId,
      currentStepKey,
      limit,
      parent,
      text,
      sort,
      after,
      ...given
    },
  ) => {
    const filter = {
      ...definedOnly({ workflow: workflowTemplateId, step: currentStepKey }),
      ...givenFields(FILTER_FIELDS, given),
      ...oneOrMore('status', 'statuses', status),
      ...oneOrMore('assignee', 'assignees', assignee),
      ...definedOnly({ parent, text, sort, after }),
      ...(mine ? { mine } : {}),
      ...(archived ? { archived } : {}),
    }
    if (cli.json) return cli.answer(await cli.ask(listTasks, { ...filter, ...definedOnly({ limit }) }), '')
    // Asks for one card more than the limit, to learn whether there is another page.
    const { terminal, now } = cli.world
    const isShort = terminal !== null && !cli.insideRun
    const hides = isShort && !all && status === undefined && parent === undefined && text === undefined
    const chosen = hides ? { ...filter, unfinishedAt: now() - RECENT_MS } : filter
    const found = await cli.ask(listTasks, { ...chosen, ...(limit === undefined ? {} : { limit: limit + 1 }) })
    const tasks = found.slice(0, limit)
    const { taskTable, taskRow } = await import('../../render/task-list.ts')
    const waits = isShort ? await waitsOf(cli, tasks) : new Map<string, string>()
    const empty = 'No matching cards.'
    cli.list(tasks, { table: (items, shown) => taskTable(items, shown, waits), row: taskRow, empty })
    if (found.length > tasks.length)
      cli.notice(`There are more cards. For the next ${limit}: add --after ${tasks.at(-1)?.id}`)
    if (isShort) noticeQuestions(cli, tasks)
    if (hides) noticeLeftOut(cli, await countLeftOut(await cli.board('read'), chosen, COUNTED))
  },
})

/**
 * A single value has its own field, because the store finds it by an index. Several values select the cards that match
 * any of them.
 */
const oneOrMore = <One extends string, More extends string, T>(
  one: One,
  more: More,
  given: readonly T[] | undefined,
): { readonly [K in One]?: T } & { readonly [K in More]?: readonly T[] } => {
  if (given === undefined) return {}
  return (given.length === 1 ? { [one]: given[0] } : { [more]: given }) as never
}

/** The number of hidden cards to compare with the filter, so that the cost does not grow with the board. */
const COUNTED = 1_000

function noticeLeftOut(cli: Invocation, { count, isCut }: HiddenCount): void {
  if (count === 0 && !isCut) return
  const cards = isCut
    ? count === COUNTED
      ? `${COUNTED} or more finished cards are`
      : 'Cards that finished over a day ago are'
    : count === 1
      ? '1 finished card is'
      : `${count} finished cards are`
  cli.notice(`${cards} hidden; to list them: muster list --all`)
}

/** Names the command for the questions of the listed cards, because a row has no room for it. */
function noticeQuestions(cli: Invocation, tasks: readonly ListedTask[]): void {
  const asking = tasks.filter(asksQuestion)
  const [first] = asking
  if (first === undefined) return
  cli.notice(
    asking.length === 1
      ? `Card ${first.id} waits for an answer: muster answer ${first.id} '…'`
      : `${asking.length} cards wait for an answer. To read and answer their questions: muster inbox`,
  )
}

/** At most this many cards of a list are shown with a reason. */
const EXPLAINED = 200

/** The reasons why cards that could start do not start, by id. The facts are loaded only if such a card is listed. */
async function waitsOf(cli: Invocation, tasks: readonly ListedTask[]): Promise<ReadonlyMap<string, string>> {
  const waiting = tasks.filter(({ status }) => followsParents(status)).slice(0, EXPLAINED)
  if (waiting.length === 0) return new Map()
  const { findWaits } = await import('../../find-waits.ts')
  return findWaits(cli, waiting)
}
