import * as z from 'zod'
import { count, duration, line, runId, slug, taskId, text, time } from '../../core/input/fields.ts'
import { PHASES, RUN_KINDS } from '../../core/vocabulary.ts'
import { PROCESS_STATES } from '../../processes/process-usage.ts'
import { RUN_CONDITIONS } from './run-condition.ts'

const usage = {
  pid: z.int().min(1),
  state: z.enum(PROCESS_STATES),
  rssBytes: count,
  cpuMs: duration,
}

export const input = z.object({ board: slug.exactOptional().describe('Only the runs of one board') })

const liveRun = z.object({
  runId,
  taskId,
  board: slug,
  title: text,
  attempt: z.int().min(1),
  phase: z.enum(PHASES),
  kind: z.enum(RUN_KINDS),
  agent: line.nullable(),
  claimedBy: line,
  machine: line.nullable(),
  condition: z.enum(RUN_CONDITIONS),
  startedAt: time,
  ageMs: duration,
  /** Of the processes of the agent, oldest ancestors first; empty where they are gone or on another machine. */
  processes: z.array(z.object({ ...usage, parent: z.int().min(0), command: z.string() })).readonly(),
  rssBytes: count,
  cpuMs: duration,
  /** Of one core, over the whole life of the run. */
  cpuPercent: z.number().min(0),
  supervisor: z.object({ ...usage, alive: z.boolean() }).nullable(),
  /** `ageMs`: since it was renewed last; `leftMs` is negative once it is over. */
  lease: z.object({ until: time, ageMs: z.int(), leftMs: z.int() }).nullable(),
  /** The last line that the agent printed, or what it said or did last, where that can be read here. */
  lastLine: z.string().nullable(),
  lastActivityAt: time.nullable(),
  logPath: text.nullable(),
})
export type LiveRun = z.infer<typeof liveRun>

export const output = z.array(liveRun).readonly()
