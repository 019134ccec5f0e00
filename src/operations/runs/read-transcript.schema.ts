import * as z from 'zod'
import { runId } from '../../core/input/fields.ts'
import { input as followLogInput } from './follow-log.schema.ts'

const tokens = z.int().min(0).nullable()
const usage = z.object({ inputTokens: tokens, outputTokens: tokens, costUsd: z.number().min(0).nullable() })
const cause = z.enum(['rate_limited', 'billing', 'auth', 'context_overflow', 'permission', 'turn_limit', 'other'])
const run = { run: runId }

export const input = followLogInput

export const output = z.discriminatedUnion('kind', [
  z.object({ ...run, kind: z.literal('turn'), turn: z.int().min(1), session: z.string() }),
  z.object({ ...run, kind: z.literal('said'), text: z.string() }),
  z.object({ ...run, kind: z.literal('called'), tool: z.string(), input: z.unknown() }),
  z.object({ ...run, kind: z.literal('returned'), ok: z.boolean(), text: z.string() }),
  z.object({ ...run, kind: z.literal('changed'), path: z.string() }),
  z.object({ ...run, kind: z.literal('used'), usage }),
  z.object({ ...run, kind: z.literal('waits'), cause, message: z.string() }),
  z.object({ ...run, kind: z.literal('failed'), cause, message: z.string() }),
  z.object({ ...run, kind: z.literal('printed'), text: z.string() }),
  z.object({ ...run, kind: z.literal('omitted'), bytes: z.int().min(1) }),
  z.object({ ...run, kind: z.literal('unknown'), lines: z.int().min(1) }),
])
