/**
 * Creates the card of a series for a scheduled time. Dispatchers on several machines may try this at once, so the
 * decision locks the series and compares its next time with the time that the caller read. Then it creates the card and
 * moves the series to its next time. So each time creates at most one card. Several missed times create one card, for
 * the last of these times.
 */
import * as z from 'zod'
import type { Board } from '../board.ts'
import { accept, defineVerb } from '../decision.ts'
import type { Accepted, Change, Context, Refused, ScopeRows } from '../decision.ts'
import { errorFacts } from '../errors.ts'
import type { EventDraft } from '../event.ts'
import type { FactQueries } from '../facts.ts'
import type { TaskId } from '../ids.ts'
import { cardInputSchema } from '../input/card-input.ts'
import { seriesId, taskId, time } from '../input/fields.ts'
import { inputFault } from '../input/input-fault.ts'
import { timeUntil } from '../recurrence/next-time.ts'
import { UNKNOWN_TIMES_MS, clockWentBack, timingOf, waitsFrom } from '../series.ts'
import type { Series, SeriesNote } from '../series.ts'
import type { SkipReason } from '../vocabulary.ts'
import { isSatisfied } from '../status.ts'
import { buildCards } from './create.ts'
import { aboutSeries, manageableSeries, noSeries } from './series.ts'

/** How long the series waits after a failure that a retry can fix. */
const RETRY_MS = 60_000

interface SeriesRun {
  readonly task: TaskId | null
  readonly series: Series
}

const runInput = z.object({
  id: seriesId,
  /** The id of the new card. */
  task: taskId,
  /** The parents of the new card, as the caller read them. They are locked together with the series. */
  parents: z.array(taskId).default([]),
})

type RunInput = z.infer<typeof runInput>

const scopeOf = ({ id, parents }: RunInput, board: string) => ({
  series: id,
  board: 'read' as const,
  parents,
  graph: parents.length > 0,
  reserves: [{ kind: 'board' as const, name: board }],
})

const factsOf = ({ rows: { series }, input }: { readonly rows: ScopeRows; readonly input: RunInput }) => ({
  existing: { fact: 'cards' as const, ids: [input.task] },
  lastCard: { fact: 'cards' as const, ids: series?.lastTask == null ? [] : [series.lastTask] },
})

export const runSeries = defineVerb({
  name: 'run_series',
  input: runInput.extend({ slot: time.nullable() }),
  scope: (input, board) => scopeOf(input, board),
  facts: (known) => ({
    ...factsOf(known),
    atSlot: { fact: 'series_card' as const, series: known.input.id, slot: lastTime(known.rows.series, known.now) },
  }),
  decide: (context) => {
    const { rows, board, facts, input, now } = context
    const { series } = rows
    if (series === null) return noSeries(input.id)
    if (series.dueAt === null) return accept(unchanged(series))
    if (clockWentBack(series, now)) return waits({ ...series, ...waitsFrom(series, now) }, now)
    // Another dispatcher was faster, or a person changed the series.
    if (series.nextAt !== input.slot || series.dueAt > now || !sameParents(series, input))
      return accept(unchanged(series))
    const slot = lastTime(series, now)
    if (slot === null) return waitsForTimes(series, now)
    const moved: Series = { ...series, ...waitsFrom(series, Math.max(now, slot)) }
    if (facts.atSlot !== null) return waits(moved, now)
    const reason = skipReason(series, { rows, board, now, isUnfinished: facts.lastCard.some(isOpen) })
    if (reason !== null) return waits(withNote(moved, { kind: 'skipped', reason, slot }, now), now)
    const built = buildCard(series, slot, context)
    if (!('ok' in built)) return created(moved, built, { task: input.task, slot, now })
    const failed = withNote(moved, { kind: 'failed', code: built.code, message: built.message, slot }, now)
    if (!errorFacts(built.code).retry) return waits(failed, now)
    return waits({ ...failed, nextAt: series.nextAt, dueAt: now + RETRY_MS }, now)
  },
})

/** Creates a card now, in addition to the schedule. This also works while the series is paused. */
export const runSeriesNow = defineVerb({
  name: 'run_series_now',
  input: runInput,
  scope: scopeOf,
  facts: factsOf,
  decide: (context) => {
    const { rows, facts, input, actor, now } = context
    const series = manageableSeries(rows, input.id, actor)
    if ('ok' in series) return series
    // The caller chose the card's id, so an existing card means that this command was sent twice.
    if (facts.existing.length > 0) return accept({ task: input.task, series })
    // Each card of a series has a different time.
    const slot = Math.max(now, (series.lastSlot ?? 0) + 1)
    const built = buildCard(series, slot, context)
    return 'ok' in built ? built : created(series, built, { task: input.task, slot, now })
  },
})

const unchanged = (series: Series): SeriesRun => ({ task: null, series })

/**
 * The latest time that has passed since the series was due. Null means that the series is not due, or that its times
 * cannot be computed. If the rules of the time zone have changed since `nextAt` was computed, `nextAt` itself counts.
 */
function lastTime(series: Series | null, now: number): number | null {
  const timing = series === null ? null : timingOf(series)
  if (timing === null || series === null || series.nextAt === null) return null
  return timeUntil(timing, now, series.nextAt) ?? series.nextAt
}

/**
 * If the times can be computed again, the series gets its next time. Otherwise it waits for a machine that can compute
 * them.
 */
function waitsForTimes(series: Series, now: number): Accepted<SeriesRun> {
  if (timingOf(series) !== null) return waits({ ...series, ...waitsFrom(series, now), note: null }, now)
  const message = `This machine does not know the time zone ${series.timeZone}, or the schedule “${series.schedule}”.`
  const failed = withNote(series, { kind: 'failed', code: 'not_supported', message, slot: series.nextAt ?? now }, now)
  return waits({ ...failed, dueAt: now + UNKNOWN_TIMES_MS }, now)
}

const sameParents = ({ card }: Series, { parents }: RunInput): boolean =>
  card.parents.length === parents.length && card.parents.every((id, at) => id === parents[at])

type LastCard = { readonly status: Parameters<typeof isSatisfied>[0]; readonly deletedAt: number | null }

const isOpen = ({ status, deletedAt }: LastCard): boolean => deletedAt === null && !isSatisfied(status)

interface Around {
  readonly rows: ScopeRows
  readonly board: Board
  readonly now: number
  readonly isUnfinished: boolean
}

/** Returns why the series creates no card now. Null means that it creates one. */
function skipReason(series: Series, { rows, board, now, isUnfinished }: Around): SkipReason | null {
  if (board.archivedAt !== null) return 'board_archived'
  const isPaused = rows.slots.some(
    ({ pausedAt, pausedUntil }) => pausedAt !== null && (pausedUntil === null || pausedUntil > now),
  )
  if (isPaused) return 'board_paused'
  return series.skipIfRunning && isUnfinished ? 'still_running' : null
}

type Built = Exclude<ReturnType<typeof buildCards>, Refused>

/**
 * Builds the card. If this version no longer accepts one of its fields, the result is a refusal and not an exception.
 */
function buildCard(
  series: Series,
  slot: number,
  {
    rows,
    board,
    actor,
    now,
    input,
  }: Pick<Context<RunInput, FactQueries>, 'rows' | 'board' | 'actor' | 'now' | 'input'>,
): Built | Refused {
  const { id, card, commandsApproved, createdBy, createdByRun } = series
  const parsed = cardInputSchema.safeParse({ ...card, id: input.task, commandsApproved })
  if (!parsed.success) {
    const { code, message, details } = inputFault(parsed.error, { verb: 'create' })
    return { ok: false, code, message, details, changes: [], events: [] }
  }
  return buildCards([parsed.data], { rows, board, actor, now, createdBy, series: { id, slot, createdByRun } })
}

interface NewCard {
  readonly task: TaskId
  readonly slot: number
  readonly now: number
}

function created(series: Series, built: Built, { task, slot, now }: NewCard): Accepted<SeriesRun> {
  const row: Series = {
    ...series,
    computedAt: now,
    created: series.created + 1,
    lastTask: task,
    lastSlot: slot,
    note: null,
  }
  return accept({ task, series: row }, { changes: [...built.changes, putSeries(row)], events: built.events })
}

type Cause =
  | Omit<Extract<SeriesNote, { kind: 'skipped' }>, 'at' | 'times'>
  | Omit<Extract<SeriesNote, { kind: 'failed' }>, 'at' | 'times'>

function withNote(series: Series, cause: Cause, now: number): Series {
  const times = isSameCause(series.note, cause) ? (series.note?.times ?? 0) + 1 : 1
  return { ...series, note: { ...cause, at: now, times } }
}

const isSameCause = (note: SeriesNote | null, cause: Cause): boolean =>
  note !== null &&
  (note.kind === 'skipped'
    ? cause.kind === 'skipped' && note.reason === cause.reason
    : cause.kind === 'failed' && note.code === cause.code && note.message === cause.message)

/**
 * Moves the series to its next time without creating a card. An event is written only if the reason is new, because a
 * series may fail every minute for months.
 */
function waits(row: Series, now: number): Accepted<SeriesRun> {
  const series: Series = { ...row, computedAt: now }
  const { note } = series
  const isNew = note !== null && note.times === 1 && note.at === now
  return accept(unchanged(series), {
    changes: [putSeries(series)],
    events: isNew ? [noteEvent(series, note)] : [],
  })
}

function noteEvent(series: Series, note: SeriesNote): EventDraft {
  const data = { ...aboutSeries(series), slot: note.slot }
  return note.kind === 'skipped'
    ? { kind: 'series_skipped', taskId: null, data: { ...data, reason: note.reason } }
    : { kind: 'series_failed', taskId: null, data: { ...data, error: note.message } }
}

const putSeries = (row: Series): Change => ({ op: 'put_series', row })
