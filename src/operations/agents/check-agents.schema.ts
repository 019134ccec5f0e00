import * as z from 'zod'
import { count, name } from '../../core/input/fields.ts'
import { CAPABILITIES, CLI_NAMES } from '../../harnesses/detect/clis.ts'

/** What an ACP agent said of itself when it was asked. */
const spoken = z.object({
  /** Null where it did not answer; then `fault` says why. */
  name: z.string().nullable(),
  version: z.string().nullable(),
  fault: z.string().nullable(),
  /** Whether it says that it can go on with a session. */
  resumes: z.boolean(),
  /** The version of the same program with which the rest was proved; null: nothing was. */
  provedWith: z.string().nullable(),
  proved: z.array(z.enum(CAPABILITIES)).readonly(),
  unproved: z.array(z.enum(CAPABILITIES)).readonly(),
})
export type Spoken = z.infer<typeof spoken>

const checkedAgent = z.object({
  name: z.string(),
  file: z.string().nullable(),
  isUsable: z.boolean(),
  problems: z.array(z.string()).readonly(),
  /** What would be started, its program resolved and its placeholders as they stand; null: the card's own body. */
  runs: z.array(z.string()).readonly().nullable(),
  /** Of agents that are spoken with by ACP, and are installed here. */
  spoken: spoken.nullable(),
})
export type CheckedAgent = z.infer<typeof checkedAgent>

const checkedCli = z.object({
  name: z.enum(CLI_NAMES),
  title: z.string(),
  /** Null: it is not installed here, or not on the PATH. */
  program: z.string().nullable(),
  /** Null where it was not told; then `fault` says why. */
  version: z.string().nullable(),
  fault: z.string().nullable(),
  /** What shows of a log-in without using it: neither means that it cannot be seen, not that there is none. */
  logIn: z.object({
    /** A file that holds one. Its content is not looked at. */
    file: z.string().nullable(),
    /** Names of variables that are set. */
    variables: z.array(z.string()).readonly(),
  }),
  /** The version with which the rest was proved; null: nothing of it ever was. */
  provedWith: z.string().nullable(),
  proved: z.array(z.enum(CAPABILITIES)).readonly(),
  unproved: z.array(z.enum(CAPABILITIES)).readonly(),
  /** Whether its sandbox kept a command from writing, just now and here; null where that cannot be tried for nothing. */
  sandbox: z.object({ holds: z.boolean().nullable(), fault: z.string().nullable() }).nullable(),
  /** What somebody may want to mend. */
  notes: z.array(z.string()).readonly(),
})
export type CheckedCli = z.infer<typeof checkedCli>

export const input = z.object({ name: name.optional().describe('Only this agent') })
export const output = z.object({
  agents: z.array(checkedAgent).readonly(),
  /** The agent CLIs; where one agent is asked for, only the one that it runs. */
  clis: z.array(checkedCli).readonly(),
  /** How many tools of the board a worker was just told of, started as an agent starts them; null: not tried. */
  tools: z.object({ count: count.nullable(), fault: z.string().nullable() }).nullable(),
})
