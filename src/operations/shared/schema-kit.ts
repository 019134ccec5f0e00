/**
 * The parts from which operations build their schemas. This file is loaded only to check or publish a schema: most
 * commands run without it (docs/contributing/decisions/0006-a-fast-start.md).
 */
import * as zod from 'zod'

export { PAUSE_CAUSES } from '../../core/account.ts'
export { settingsPatchSchema } from '../../core/board.ts'
export { commentSchema } from '../../core/comment.ts'
export { checkDependentFields, createShape, filterShape, someEditShape } from '../../core/input/card-input.ts'
export { SWARM_WORKERS_MAX } from '../../core/vocabulary.ts'
export { askedWorkspace } from '../../core/input/card-values.ts'
export { schedule, seriesCardShape, someSeriesCardShape, timeZone } from '../../core/input/series-input.ts'
export * from '../../core/input/fields.ts'
export * from './card-fields.ts'
export * from './views.ts'
export * from '../agents/views.ts'
export * from '../backups/views.ts'
export * from '../boards/views.ts'
export * from '../cards/views.ts'
export * from '../inbox/views.ts'
export * from '../machine/views.ts'
export { planInputShape, planResult } from '../plans/views.ts'
export * from '../reviews/views.ts'
export * from '../runs/row-views.ts'
export * from '../runs/run-fields.ts'
export * from '../series/views.ts'
export * from '../skills/views.ts'
export * from '../swarms/views.ts'
export * from '../templates/views.ts'
export * from '../tokens/views.ts'
export * from '../tournaments/views.ts'
export * from '../views/views.ts'
export * from '../workspaces/views.ts'

/** The functions of the schema library that operations use. The bundler leaves out the rest of the library. */
export const z = {
  array: zod.array,
  boolean: zod.boolean,
  discriminatedUnion: zod.discriminatedUnion,
  enum: zod.enum,
  int: zod.int,
  literal: zod.literal,
  number: zod.number,
  object: zod.object,
  partialRecord: zod.partialRecord,
  record: zod.record,
  string: zod.string,
  union: zod.union,
  unknown: zod.unknown,
} as const
