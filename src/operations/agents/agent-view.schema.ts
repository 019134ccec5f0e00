import * as z from 'zod'
import { count } from '../../core/input/fields.ts'

/** What somebody who lets an agent work wants to know of its file; what that does not say is null. */
export const agentRights = z.object({
  name: z.string(),
  description: z.string().nullable(),
  harness: z.string(),
  /** The program of a `command` agent and its arguments, as its file has them. */
  args: z.array(z.string()).readonly(),
  env: z.array(z.string()).readonly(),
  account: z.string().nullable(),
  permissions: z.string(),
  /** Which model, who serves it and how hard it thinks, in the words of its program; null: as that is set up. */
  model: z.string().nullable(),
  provider: z.string().nullable(),
  effort: z.string().nullable(),
  /** `kanban`: it has those for the whole board. */
  tools: z.array(z.string()).readonly(),
  /** Commands for a fresh workspace, and what must pass on each of its cards. */
  setup: z.array(z.string()).readonly(),
  checks: z.array(z.string()).readonly(),
  skills: z.array(z.string()).readonly(),
})

/** An agent as it stands on this machine. */
export const agentView = agentRights.extend({
  /** Null when its file cannot be read, or there is none. */
  harness: z.string().nullable(),
  permissions: z.string().nullable(),
  onExit: z.string().nullable(),
  maxConcurrent: count.nullable(),
  maxRuntimeMs: count.nullable(),
  /** Null: built in, or only named by cards. */
  file: z.string().nullable(),
  /** Where its program was found here. */
  program: z.string().nullable(),
  isUsable: z.boolean(),
  /** Why it cannot work here, everything that is to be mended. */
  problems: z.array(z.string()).readonly(),
  /** Cards of all boards that could start with it; counted up to 1000. */
  waiting: count,
})
export type AgentView = z.infer<typeof agentView>
