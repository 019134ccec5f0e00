/** The stored form of a tournament. */
import * as z from 'zod'
import { PICKERS } from '../vocabulary.ts'
import { count, line, name, taskId, text, time } from './fields.ts'

export const judgeUsageSchema = z.object({
  model: line,
  inputTokens: count.nullable(),
  outputTokens: count.nullable(),
  costUsd: z.number().min(0).nullable(),
})

const judging = z.object({
  attempts: count,
  failures: count,
  after: time,
  order: z.array(taskId).readonly(),
  failure: text.nullable(),
  usage: judgeUsageSchema.nullable(),
})

const pick = z.object({
  winner: taskId,
  agent: name.nullable(),
  by: line,
  reason: text.nullable(),
  at: time,
  order: z.array(taskId).readonly().nullable(),
})

export const tournamentSchema = z.object({
  entries: z.array(taskId).readonly(),
  picker: z.enum(PICKERS),
  judging: judging.nullable(),
  pick: pick.nullable(),
})
