/** The input of a series: its schedule, its time zone, and the fields of its cards. */
import * as z from 'zod'
import { scheduleFault } from '../recurrence/schedule.ts'
import { isTimeZone } from '../recurrence/zone.ts'
import { cardShape, checkDependentFields, someCreateShape } from './card-input.ts'
import { VALUES } from './card-values.ts'
import { line } from './fields.ts'

export const schedule = line
  .refine((text) => scheduleFault(text) === null, { error: ({ input }) => scheduleFault(String(input)) ?? '' })
  .describe('When it creates a card: a cron expression, every 2h, weekdays 09:00, daily 7:30, mon,thu 18:00')

export const timeZone = line
  .refine(isTimeZone, {
    error: ({ input }) => `: ${String(input)} is not a time zone: write a name such as Europe/Berlin, or UTC`,
  })
  .describe('The time zone of the schedule')

const {
  id: _id,
  idempotencyKey: _key,
  scheduledAt: _scheduledAt,
  commandsApproved: _approved,
  ...seriesCardShape
} = cardShape

export { seriesCardShape }

const { idempotencyKey: _someKey, scheduledAt: _someTime, ...someCardShape } = someCreateShape

/** Like `seriesCardShape`, but every field is optional. A change of the goal may contain only some of its parts. */
export const someSeriesCardShape = {
  ...someCardShape,
  goal: z.exactOptional(VALUES.goalEdit.nullable()).describe(someCardShape.goal.description ?? ''),
}

/** The fields of the cards of a series: those of a new card, without the fields that the series decides itself. */
export const seriesCardSchema = z.object(seriesCardShape).superRefine(checkDependentFields)
export type SeriesCard = z.infer<typeof seriesCardSchema>
