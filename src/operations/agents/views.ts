/** The output schemas of agents, CLIs and pauses. */
import * as z from 'zod'
import { PAUSE_CAUSES } from '../../core/account.ts'
import { count, line, text, time } from '../../core/input/fields.ts'
import { SLOT_KINDS } from '../../core/vocabulary.ts'
import { CAPABILITIES, CLI_NAMES } from '../../harnesses/detect/clis.ts'

/** The fields of an agent file that a person reads before approving it. A field that the file leaves out is null. */
export const agentRights = z.object({
  name: z.string(),
  description: z.string().nullable(),
  harness: z.string(),
  /** The program of a `command` agent and its arguments, as in its file. */
  args: z.array(z.string()).readonly(),
  env: z.array(z.string()).readonly(),
  account: z.string().nullable(),
  /** When the agent's cards may start, or null if they may start at any time. */
  activeHours: z.string().nullable(),
  /** The fallback: the agent that takes over while the account of this agent is exhausted. */
  fallback: z.string().nullable(),
  permissions: z.string(),
  /**
   * Model, provider and effort, by the names that the agent's CLI uses. Null leaves the choice to the CLI's own
   * settings.
   */
  model: z.string().nullable(),
  provider: z.string().nullable(),
  effort: z.string().nullable(),
  /** An agent with `kanban` has the tools for the whole board. */
  tools: z.array(z.string()).readonly(),
  /** Commands for a new workspace, and checks for each card of the agent. */
  setup: z.array(z.string()).readonly(),
  checks: z.array(z.string()).readonly(),
  skills: z.array(z.string()).readonly(),
})

/** An agent on this machine. */
export const agentView = agentRights.extend({
  /** Null if the agent file does not exist or cannot be read. */
  harness: z.string().nullable(),
  permissions: z.string().nullable(),
  onExit: z.string().nullable(),
  maxConcurrent: count.nullable(),
  maxRuntimeMs: count.nullable(),
  /** Null if the agent is built in, or if it is only named by cards. */
  file: z.string().nullable(),
  /** The path of the agent's program on this machine. */
  program: z.string().nullable(),
  isUsable: z.boolean(),
  /** Everything that must be fixed before the agent can run here. */
  problems: z.array(z.string()).readonly(),
  /** Cards of all boards that could start with this agent; counted up to 1000. */
  waiting: count,
})
export type AgentView = z.infer<typeof agentView>

const proof = {
  /** The version of the program that Muster was tested with, or null if it was never tested. */
  provedWith: z.string().nullable(),
  proved: z.array(z.enum(CAPABILITIES)).readonly(),
  unproved: z.array(z.enum(CAPABILITIES)).readonly(),
}

/** The report of an ACP agent about itself. */
const acpReport = z.object({
  /** Null if the agent did not answer; `fault` gives the reason. */
  name: z.string().nullable(),
  version: z.string().nullable(),
  fault: z.string().nullable(),
  /** Whether the agent reports that it can resume a session. */
  resumes: z.boolean(),
  ...proof,
})
export type AcpReport = z.infer<typeof acpReport>

export const checkedAgent = z.object({
  name: z.string(),
  file: z.string().nullable(),
  /** Null if the agent file cannot be read. */
  harness: z.string().nullable(),
  isUsable: z.boolean(),
  problems: z.array(z.string()).readonly(),
  /**
   * The command line with the path of its program and with unfilled placeholders. Null if no program was found, or if
   * the agent runs the body of its card.
   */
  runs: z.array(z.string()).readonly().nullable(),
  /** Only for installed ACP agents. */
  spoken: acpReport.nullable(),
})
export type CheckedAgent = z.infer<typeof checkedAgent>

export const checkedCli = z.object({
  name: z.enum(CLI_NAMES),
  title: z.string(),
  /** Null if the CLI is not installed or not on the PATH. */
  program: z.string().nullable(),
  /** Null if the version is unknown; `fault` gives the reason. */
  version: z.string().nullable(),
  fault: z.string().nullable(),
  /** Signs that the CLI is logged in. They are found without using the login, so a login may exist without them. */
  logIn: z.object({
    /** A file that holds a login. Its content is not read. */
    file: z.string().nullable(),
    /** Names of variables that are set. */
    variables: z.array(z.string()).readonly(),
  }),
  ...proof,
  /**
   * Whether the sandbox of the CLI stopped a test command from writing. Null if no test was made, for example because
   * it would cost tokens. `holds` is null if the test failed.
   */
  sandbox: z.object({ holds: z.boolean().nullable(), fault: z.string().nullable() }).nullable(),
  /** Defects that a person may want to fix. */
  notes: z.array(z.string()).readonly(),
})
export type CheckedCli = z.infer<typeof checkedCli>

export const pauseView = z.object({
  kind: z.enum(SLOT_KINDS),
  name: line,
  /** Why an account is paused; null for anything else. */
  cause: z.enum(PAUSE_CAUSES).nullable(),
  by: line.nullable(),
  since: time,
  /** When the pause ends without a command, or null if a person must end it. */
  until: time.nullable(),
  reason: text.nullable(),
})
export type Pause = z.infer<typeof pauseView>

/** Fields that name what to pause or resume. */
export const pauseTarget = {
  kind: z.enum(SLOT_KINDS).exactOptional().describe('What to pause or resume: board, agent, account or machine'),
  name: line.exactOptional().describe('Its name; default: the current board, or this machine'),
}
