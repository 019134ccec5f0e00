/** What a supervisor is started with. It holds the claim's token, so only its owner may read it. */
import * as z from 'zod'
import { name, runId, slug, taskId } from '../core/fields.ts'
import type { Agent } from './agent.ts'
import type { RunDirectory } from './run-directory.ts'
import { readIfThere, writeWhole } from './run-directory.ts'

const ticketSchema = z.object({
  version: z.literal(1),
  home: z.string(),
  /** Where the store is, as `parseLocation` reads it. */
  store: z.string(),
  board: slug,
  task: taskId,
  run: runId,
  token: z.string(),
  agent: name,
  harness: z.string(),
  /** The program of a `command` agent and its arguments, placeholders and all. */
  args: z.array(z.string()).default([]),
  instruction: z.string().default(''),
  /** The command line of the build that claimed: what the tools of the run are started with. */
  commandLine: z.string().default(''),
  /** Whether a run that ends without a word is complete when it exits 0. */
  completesOnExit: z.boolean(),
  /** Variables of the supervisor's own environment that the agent's file asked for. */
  passEnvironment: z.array(z.string()),
  terminateGraceMs: z.int().min(1),
  killWaitMs: z.int().min(1),
  logMaxBytes: z
    .int()
    .min(1)
    .default(64 * 1024 ** 2),
})
export type Ticket = z.infer<typeof ticketSchema>

/** What a ticket says of the agent: its file may change while the run lives. */
export const agentPart = (
  agent: Agent,
): Pick<Ticket, 'agent' | 'harness' | 'args' | 'instruction' | 'completesOnExit' | 'passEnvironment'> => ({
  agent: agent.name,
  harness: agent.harness,
  args: [...agent.args],
  instruction: agent.instruction,
  completesOnExit: agent.onExit === 'complete',
  passEnvironment: [...agent.env],
})

export const writeTicket = (directory: RunDirectory, ticket: z.input<typeof ticketSchema>): Promise<void> =>
  writeWhole(directory.ticket, `${JSON.stringify(ticket, null, 2)}\n`)

/** Null when there is none, or none that can be used. */
export async function readTicket(directory: RunDirectory): Promise<Ticket | null> {
  const text = await readIfThere(directory.ticket)
  if (text === null) return null
  try {
    return ticketSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
