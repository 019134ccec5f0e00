import { FILTER_FIELDS } from '../../../core/card-fields.ts'
import { asksQuestion, followsParents, isArchived, isSatisfied } from '../../../core/status.ts'
import { STATUSES } from '../../../core/vocabulary.ts'
import { WAIT_KINDS } from '../../../core/wait-kind.ts'
import { countLeftOut, listTasks } from '../../../operations/cards/list-tasks.ts'
import { RECENT_MS } from '../../../operations/cards/recent.ts'
import type { OperationInput } from '../../../operations/shared/operation.ts'
import { SORTS } from '../../../storage/store.ts'
import { definedOnly } from '../../../util/objects.ts'
import { filterFlags, givenFields } from '../../card-flags.ts'
import {
  agentOrNone,
  card,
  choice,
  each,
  filling,
  hidden,
  line,
  moment,
  toggle,
  whole,
  withBrief,
} from '../../flags.ts'
import { filterOfView } from '../../filter-of-view.ts'
import { defineCommand } from '../../command.ts'
import type { Invocation } from '../../invocation.ts'
import type { HiddenCount, ListedTask } from '../../../storage/store.ts'

export const command = defineCommand({
  group: 'look',
  operation: listTasks,
  flags: {
    ...filterFlags,
    status: withBrief(
      'in this status',
      each(choice(STATUSES, 'only cards in this status; repeat for several statuses')),
    ),
    assignee: each(
      withBrief(
        'only cards of this agent; none: unassigned cards',
        agentOrNone('only cards of this agent; none: unassigned cards; repeat for several agents'),
      ),
    ),
    mine: withBrief('assigned to you', toggle('only cards assigned to you')),
    workflowTemplateId: hidden(filling('workflow', line('<id>', 'the same as --workflow'))),
    currentStepKey: hidden(filling('step', line('<key>', 'the same as --step'))),
    parent: withBrief('children of this', card('only children of this card')),
    view: withBrief(
      'of a saved view',
      line('<name>', 'the filters of this saved view; other flags replace its filters'),
    ),
    text: withBrief('only cards with this text, also in their results', line()),
    minPriority: whole({}, 'only cards with at least this priority'),
    changedSince: moment('only cards that changed since this time'),
    finishedSince: moment('only cards that finished since this time'),
    waitsFor: choice(WAIT_KINDS, 'only cards that wait for this kind of event'),
    archived: withBrief('also archived', toggle('include archived cards')),
    all: withBrief('of any age', toggle('include cards that finished over a day ago')),
    sort: withBrief(
      'the order: updated-desc, title, priority, …',
      choice(SORTS, 'the order (default: priority, then age)'),
    ),
    limit: whole({ min: 1 }, 'at most this many cards'),
    after: withBrief('after this card', card('only cards after this card in the order')),
  },
  without: {
    without: 'Only the dashboard uses this field, for groups of cards.',
    unfinishedAt: 'The command sets this field for a list on a terminal, unless --all is given.',
    statuses: 'Repeat --status to list several statuses.',
    assignees: 'Repeat --assignee to list the cards of several agents.',
  },
  aliases: ['ls'],
  examples: [
    'muster list --status blocked --label bug',
    'muster list --mine --sort updated-desc',
    'muster list --view urgent',
  ],
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
      view,
      text,
      minPriority,
      changedSince,
      finishedSince,
      waitsFor,
      sort,
      after,
      ...given
    },
  ) => {
    const filter = {
      ...(view === undefined ? {} : await filterOfView(cli, view)),
      ...definedOnly({ workflow: workflowTemplateId, step: currentStepKey }),
      ...givenFields(FILTER_FIELDS, given),
      ...oneOrMore('status', 'statuses', status),
      ...oneOrMore('assignee', 'assignees', assignee),
      ...definedOnly({ parent, text, minPriority, changedSince, finishedSince, waitsFor, sort, after }),
      ...(mine ? { mine } : {}),
      ...(archived ? { archived } : {}),
    }
    if (cli.json) return cli.answer(await cli.ask(listTasks, { ...filter, ...definedOnly({ limit }) }), '')
    // The command requests one card more than the limit. If this extra card exists, the list has another page.
    const { terminal, now } = cli.world
    const isShort = terminal !== null && !cli.insideRun
    const hides =
      isShort && !all && view === undefined && status === undefined && parent === undefined && text === undefined
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
    if (hides) noticeLeftOut(cli, await countHidden(cli, chosen))
  },
})

/**
 * Selects cards by one value or by several values. A single value has its own field, because the store finds it by an
 * index. Several values select the cards that match any of them.
 */
const oneOrMore = <One extends string, More extends string, T>(
  one: One,
  more: More,
  given: readonly T[] | undefined,
): { readonly [K in One]?: T } & { readonly [K in More]?: readonly T[] } => {
  if (given === undefined) return {}
  return (given.length === 1 ? { [one]: given[0] } : { [more]: given }) as never
}

/**
 * The maximum number of hidden cards to compare with the filter, so that a large board does not make the command slow.
 */
const COUNTED = 1_000

/** The maximum number of cards that a server lists in one answer. */
const ASKED = 500

/** A server does not count the hidden cards, so the oldest finished cards are counted here. */
async function countHidden(
  cli: Invocation,
  { unfinishedAt = 0, ...filter }: OperationInput<typeof listTasks>,
): Promise<HiddenCount> {
  if (cli.remote === null) return countLeftOut(await cli.board('read'), { ...filter, unfinishedAt }, COUNTED)
  const finished = STATUSES.filter((status) => isSatisfied(status) && !isArchived(status))
  const oldest = await cli.ask(listTasks, { ...filter, statuses: finished, sort: 'updated', limit: ASKED })
  const count = oldest.filter(({ completedAt }) => completedAt !== null && completedAt < unfinishedAt).length
  return { count, isCut: count === ASKED }
}

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

/** Prints the command that shows the questions of the listed cards. A row of the list has no space for the question. */
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

/** The maximum number of cards in a list that are shown with a reason. */
const EXPLAINED = 200

/**
 * For each card that could start but does not: the reason, by id of the card. The facts for the reasons are read only
 * if the list has such a card.
 */
async function waitsOf(cli: Invocation, tasks: readonly ListedTask[]): Promise<ReadonlyMap<string, string>> {
  const waiting = tasks.filter(({ status }) => followsParents(status)).slice(0, EXPLAINED)
  if (waiting.length === 0) return new Map()
  const { findWaits } = await import('../../find-waits.ts')
  return findWaits(cli, waiting)
}
