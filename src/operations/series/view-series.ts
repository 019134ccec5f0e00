/** Describes series, with the reasons why they create no cards or why their cards cannot start. */
import type { Series } from '../../core/series.ts'
import type { SkipReason } from '../../core/vocabulary.ts'
import { readRoster } from '../../agents/roster.ts'
import type { Roster } from '../../agents/roster.ts'
import { unknownAgentTexts } from '../../agents/unknown-agents.ts'
import { hostIfSupported } from '../../processes/identity.ts'
import { findDispatchers, inactiveText } from '../machine/dispatcher-state.ts'
import type { Dispatchers } from '../machine/dispatcher-state.ts'
import type { BoardContext } from '../shared/operation.ts'
import type { SeriesView } from './views.ts'

type Problem = SeriesView['problems'][number]

/** A dispatcher handles a due series within seconds. After this time, no dispatcher is running. */
const LATE_MS = 60_000

interface Around {
  readonly roster: Roster
  readonly dispatchers: Dispatchers
  readonly now: number
  /** The last cards of the series, by id. */
  readonly cards: ReadonlyMap<string, NonNullable<SeriesView['lastCard']>>
}

/** Reads what the views of these series depend on. */
export async function readAround(
  { store, options }: Pick<BoardContext, 'store' | 'options'>,
  all: readonly Pick<Series, 'lastTask'>[],
): Promise<Around> {
  const last = all.flatMap(({ lastTask }) => lastTask ?? [])
  const [roster, dispatchers, now, cards] = await Promise.all([
    readRoster(options.home),
    findDispatchers(store, hostIfSupported()),
    store.now(),
    last.length === 0 ? [] : store.tasksById(last),
  ])
  const shown = cards.map(({ id, title, status, blockKind }) => [id, { id, title, status, blockKind }] as const)
  return { roster, dispatchers, now, cards: new Map(shown) }
}

export function viewSeries(series: Series, around: Around): SeriesView {
  const { dueAt: _due, computedAt: _computed, anchorAt: _anchor, createdByRun: _run, ...shown } = series
  const { title, assignee } = series.card
  const lastCard = series.lastTask === null ? null : (around.cards.get(series.lastTask) ?? null)
  return { ...shown, title, assignee, lastCard, problems: problemsOf(series, around) }
}

export const viewOne = async (context: Pick<BoardContext, 'store' | 'options'>, series: Series): Promise<SeriesView> =>
  viewSeries(series, await readAround(context, [series]))

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  still_running: 'its last card is not finished.',
  board_paused: 'its board is paused.',
  board_archived: 'its board is archived.',
}

function problemsOf(series: Series, { roster, dispatchers, now }: Around): readonly Problem[] {
  const { card, note, dueAt, commandsApproved } = series
  const { assignee } = card
  const isLate = dueAt !== null && dueAt < now - LATE_MS
  return [
    ...(isLate && dispatchers.active.size === 0
      ? [{ code: 'no_dispatcher', message: `The scheduled time has passed. ${inactiveText(dispatchers.own)}` }]
      : []),
    ...(note === null
      ? []
      : [
          note.kind === 'failed'
            ? { code: 'failed', message: `The series could not create its last card: ${note.message}` }
            : { code: note.reason, message: `The series skipped its last scheduled time: ${SKIPPED[note.reason]}` },
        ]),
    ...unknownAgentTexts([assignee], roster).map((message) => ({ code: 'unknown_agent', message })),
    ...(commandsApproved
      ? []
      : [
          {
            code: 'command_approval',
            message: 'An agent wrote this series, so the commands of its cards need your approval.',
          },
        ]),
  ]
}
