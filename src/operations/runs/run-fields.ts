/** Fields of the operations that read runs and their logs. */
import * as z from 'zod'
import { cardRef } from '../shared/card-fields.ts'
import { STATE_TYPES } from './run-view.ts'

export const runState = {
  stateType: z.enum(STATE_TYPES).exactOptional().describe('Whether `stateName` is a status or an outcome'),
  stateName: z.string().exactOptional().describe('The status (running, ended) or the outcome to show'),
}

export const runField = {
  run: z.string().exactOptional().describe('The number of an attempt, or a run id (default: the latest)'),
}

export const logFields = {
  task: cardRef,
  ...runField,
  supervisor: z.boolean().exactOptional().describe('Show the log of the supervisor instead of the agent’s'),
  tail: z
    .union([z.object({ lines: z.int().min(0) }), z.object({ bytes: z.int().min(0) })])
    .exactOptional()
    .describe('Only the end: lines, or a size such as 64k'),
}

export const followFields = { ...logFields, follow: z.boolean().default(true).describe('Continue until the run ends') }
