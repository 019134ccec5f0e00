/**
 * Creates the card of a series for one of its times. The dispatchers of all machines may try this at once: the decision
 * locks the series, compares its next time with the time that the caller has read, creates the card and moves to the
 * next time. So a time gets one card at most. If several times have passed, they get one card together, for the last of
 * them.
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

/** The wait after a failure that a retry can fix. */
const RETRY_MS = 60_000

interface SeriesRun {
  readonly task: TaskId | null
  readonly series: Series
}

const runInput = z.object({
  id: seriesId,
  /** The id of the new card. */
  task: taskId,
  /** The parents of its cards, as the caller has read them. They are locked together with the series. */
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

/** Creates a card at once, in addition to the times of the schedule. A paused series does this too. */
export const runSeriesNow = defineVerb({
  name: 'run_series_now',
  input: runInput,
  scope: scopeOf,
  facts: factsOf,
  decide: (context) => {
    const { rows, facts, input, actor, now } = context
    const series = manageableSeries(rows, input.id, actor)
    if ('ok' in series) return series
    // The id of the card comes from the caller, so the command was sent before.
    if (facts.existing.length > 0) return accept({ task: input.task, series })
    // Two cards of a series never have the same time.
    const slot = Math.max(now, (series.lastSlot ?? 0) + 1)
    const built = buildCard(series, slot, context)
    return 'ok' in built ? built : created(series, built, { task: input.task, slot, now })
  },
})

const unchanged = (series: Series): SeriesRun => ({ task: null, series })

/**
 * The last time of a due series that has passed. Null means that the series is not due, or its times are unknown. The
 * rules of a time zone may have changed since `nextAt` was computed. Then `nextAt` itself counts.
 */
function lastTime(series: Series | null, now: number): number | null {
  const timing = series === null ? null : timingOf(series)
  if (timing === null || series === null || series.nextAt === null) return null
  return timeUntil(timing, now, series.nextAt) ?? series.nextAt
}

/** A series whose times were unknown gets its next time, or waits for a machine that knows its times. */
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

/** Why the series creates no card now. Null means that it creates one. */
function skipReason(series: Series, { rows, board, now, isUnfinished }: Around): SkipReason | null {
  if (board.archivedAt !== null) return 'board_archived'
  const isPaused = rows.slots.some(
    ({ pausedAt, pausedUntil }) => pausedAt !== null && (pausedUntil === null || pausedUntil > now),
  )
  if (isPaused) return 'board_paused'
  return series.skipIfRunning && isUnfinished ? 'still_running' : null
}

type Built = Exclude<ReturnType<typeof buildCards>, Refused>

/** Builds the card. A field that this version no longer accepts is a refusal, like any other. */
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
 * Lets the series wait for its next time without a card. An event is written only if the cause is new, because a series
 * may fail every minute for months.
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
