/** The verbs with which people and orchestrators manage series. `run-series.ts` creates the cards. */
import * as z from 'zod'
import { actorName, actorRun, opensGates } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Accepted, Refused, ScopeRows } from '../decision.ts'
import type { EventDraft } from '../event.ts'
import { approvalAfter, isApprovedAtCreation } from '../gates/command-approval.ts'
import type { SeriesId } from '../ids.ts'
import { seriesId } from '../input/fields.ts'
import { schedule, seriesCardSchema, timeZone } from '../input/series-input.ts'
import { creationsOf, refuseOverLimits } from '../limits/run-limits.ts'
import { waitsFrom } from '../series.ts'
import type { Series } from '../series.ts'

export const noSeries = (id: SeriesId): Refused =>
  refuse('series_not_found', `There is no series ${id} on this board. To list series: muster recur list`, { id })

/** Returns the series, or a refusal if it does not exist or the actor may not manage series. */
export function manageableSeries({ series }: ScopeRows, id: SeriesId, actor: Actor): Series | Refused {
  if (!opensGates(actor)) return refuse('not_allowed', 'Only a person or an orchestrator may manage series.')
  return series ?? noSeries(id)
}

export const aboutSeries = ({ id, card }: Pick<Series, 'id' | 'card'>) => ({ series: id, title: card.title })

const changed = (row: Series, ...events: EventDraft[]): Accepted<Series> =>
  accept(row, { changes: [{ op: 'put_series', row }], events })

export const addSeries = defineVerb({
  name: 'add_series',
  input: z.object({
    id: seriesId,
    schedule,
    timeZone,
    card: seriesCardSchema,
    skipIfRunning: z.boolean().default(false),
    commandsApproved: z.boolean().optional(),
  }),
  scope: ({ id }) => ({ series: id, board: 'read' as const }),
  facts: ({ actor }) => ({ creations: creationsOf(actor) }),
  decide: ({ rows, board, facts, input: { commandsApproved, ...given }, actor, now }) => {
    // The caller chose the id, so an existing series means that this command was sent twice.
    if (rows.series !== null) return accept(rows.series)
    if (!opensGates(actor)) return refuse('not_allowed', 'Only a person or an orchestrator may add a series.')
    if (board.archivedAt !== null)
      return refuse('board_archived', `Board ${board.slug} is archived: unarchive it first.`, { board: board.slug })
    const overLimit = refuseOverLimits(actor, facts.creations, { adding: 1, settings: board.settings })
    if (overLimit) return overLimit
    const row: Series = {
      ...given,
      ...waitsFrom({ ...given, anchorAt: now }, now),
      board: board.slug,
      anchorAt: now,
      computedAt: now,
      pausedAt: null,
      pausedBy: null,
      created: 0,
      lastTask: null,
      lastSlot: null,
      note: null,
      commandsApproved: isApprovedAtCreation(actor, commandsApproved),
      createdBy: actorName(actor),
      createdByRun: actorRun(actor),
      createdAt: now,
      updatedAt: now,
    }
    const { schedule: text, timeZone: zone } = given
    return changed(row, {
      kind: 'series_added',
      taskId: null,
      data: { ...aboutSeries(row), schedule: text, timeZone: zone },
    })
  },
})

export const editSeries = defineVerb({
  name: 'edit_series',
  input: z.object({
    id: seriesId,
    schedule: schedule.exactOptional(),
    timeZone: timeZone.exactOptional(),
    /** All fields of the cards. The caller merges its change into the fields that it read. */
    card: seriesCardSchema.exactOptional(),
    skipIfRunning: z.boolean().exactOptional(),
    /** The value of `updatedAt` that the caller read. */
    was: z.int().exactOptional(),
    commandsApproved: z.boolean().optional(),
  }),
  scope: ({ id }) => ({ series: id }),
  decide: ({ rows, input: { id, was, commandsApproved, ...given }, actor, now }) => {
    const series = manageableSeries(rows, id, actor)
    if ('ok' in series) return series
    if (was !== undefined && series.updatedAt !== was)
      return refuse('series_changed', `Series ${id} changed in the meantime. Try again.`, { id })
    const fields = changedFields(series, given)
    if (fields.length === 0) return accept(series)
    const isMoved = fields.includes('schedule') || fields.includes('timeZone')
    // After an edit of the schedule, an interval counts from the edit. Otherwise its next time could be long past.
    const edited: Series = { ...series, ...given, anchorAt: isMoved ? now : series.anchorAt, updatedAt: now }
    const approval = approvalAfter(actor, fields, commandsApproved)
    const row: Series = {
      ...edited,
      ...(isMoved && series.pausedAt === null ? { ...waitsFrom(edited, now), computedAt: now } : {}),
      // The edit may have fixed the problem that the note describes.
      note: null,
      commandsApproved: series.commandsApproved && approval.commandsApproved !== false,
    }
    return changed(row, { kind: 'series_edited', taskId: null, data: { ...aboutSeries(row), fields } })
  },
})

type Editable = Partial<Pick<Series, 'schedule' | 'timeZone' | 'card' | 'skipIfRunning'>>

/** Returns the names of the edited fields, with each changed field of the card. */
function changedFields(series: Series, { card, ...given }: Editable): readonly string[] {
  const differs = (before: object, after: object): string[] =>
    Object.entries(after).flatMap(([key, value]) =>
      JSON.stringify((before as Readonly<Record<string, unknown>>)[key]) === JSON.stringify(value) ? [] : [key],
    )
  return [...differs(series, given), ...(card === undefined ? [] : differs(series.card, card))]
}

export const pauseSeries = defineVerb({
  name: 'pause_series',
  input: z.object({ id: seriesId }),
  scope: ({ id }) => ({ series: id }),
  decide: ({ rows, input: { id }, actor, now }) => {
    const series = manageableSeries(rows, id, actor)
    if ('ok' in series || series.pausedAt !== null) return 'ok' in series ? series : accept(series)
    const row: Series = {
      ...series,
      pausedAt: now,
      pausedBy: actorName(actor),
      nextAt: null,
      dueAt: null,
      updatedAt: now,
    }
    return changed(row, { kind: 'series_paused', taskId: null, data: aboutSeries(row) })
  },
})

/** Resumes a paused series. Times during the pause create no cards. */
export const resumeSeries = defineVerb({
  name: 'resume_series',
  input: z.object({ id: seriesId }),
  scope: ({ id }) => ({ series: id }),
  decide: ({ rows, input: { id }, actor, now }) => {
    const series = manageableSeries(rows, id, actor)
    if ('ok' in series || series.pausedAt === null) return 'ok' in series ? series : accept(series)
    const row: Series = {
      ...series,
      ...waitsFrom(series, now),
      computedAt: now,
      pausedAt: null,
      pausedBy: null,
      updatedAt: now,
    }
    return changed(row, { kind: 'series_resumed', taskId: null, data: aboutSeries(row) })
  },
})

export const removeSeries = defineVerb({
  name: 'remove_series',
  input: z.object({ id: seriesId }),
  scope: ({ id }) => ({ series: id }),
  decide: ({ rows, input: { id }, actor }) => {
    const series = manageableSeries(rows, id, actor)
    if ('ok' in series) return series
    return accept(series, {
      changes: [{ op: 'delete_series', id }],
      events: [{ kind: 'series_removed', taskId: null, data: aboutSeries(series) }],
    })
  },
})
