/** The output schemas of agents, CLIs and pauses. */
import * as z from 'zod'
import { PAUSE_CAUSES } from '../../core/account.ts'
import { count, line, text, time } from '../../core/input/fields.ts'
import { SLOT_KINDS } from '../../core/vocabulary.ts'
import { CAPABILITIES, CLI_NAMES } from '../../harnesses/detect/clis.ts'

/** The fields of an agent file that a person sees before the approval of the file. A missing field is null. */
export const agentRights = z.object({
  name: z.string(),
  description: z.string().nullable(),
  harness: z.string(),
  /** The program of a `command` agent and its arguments, as in the agent file. */
  args: z.array(z.string()).readonly(),
  env: z.array(z.string()).readonly(),
  account: z.string().nullable(),
  /** The hours at which cards of the agent may start. Null means that cards may start at any time. */
  activeHours: z.string().nullable(),
  /** The agent that replaces this agent while the account of this agent is exhausted. */
  fallback: z.string().nullable(),
  permissions: z.string(),
  /**
   * Model, provider and effort, with the names that the agent's CLI uses. Null means that the CLI's own settings apply.
   */
  model: z.string().nullable(),
  provider: z.string().nullable(),
  effort: z.string().nullable(),
  /** The tools of the agent. The entry `kanban` means the tools for the whole board. */
  tools: z.array(z.string()).readonly(),
  /** The setup commands for a new workspace, and the checks for each card of the agent. */
  setup: z.array(z.string()).readonly(),
  checks: z.array(z.string()).readonly(),
  skills: z.array(z.string()).readonly(),
})

/** An agent on this machine. */
export const agentView = agentRights.extend({
  /** The harness. Null means that the agent file does not exist or cannot be read. */
  harness: z.string().nullable(),
  permissions: z.string().nullable(),
  onExit: z.string().nullable(),
  maxConcurrent: count.nullable(),
  maxRuntimeMs: count.nullable(),
  /** The path of the agent file. Null means that the agent is built in, or that only cards name it. */
  file: z.string().nullable(),
  /** The path of the agent's program on this machine. */
  program: z.string().nullable(),
  isUsable: z.boolean(),
  /** The problems that must be fixed before the agent can run on this machine. */
  problems: z.array(z.string()).readonly(),
  /** The number of cards on all boards that could start with this agent, counted up to 1000. */
  waiting: count,
})
export type AgentView = z.infer<typeof agentView>

const proof = {
  /** The version of the program with which Muster was tested. Null means that it was never tested. */
  provedWith: z.string().nullable(),
  proved: z.array(z.enum(CAPABILITIES)).readonly(),
  unproved: z.array(z.enum(CAPABILITIES)).readonly(),
}

/** The report of an ACP agent about itself. */
const acpReport = z.object({
  /** The name that the agent reports. Null means that the agent did not answer; `fault` is the reason. */
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
  /** The harness. Null means that the agent file cannot be read. */
  harness: z.string().nullable(),
  isUsable: z.boolean(),
  problems: z.array(z.string()).readonly(),
  /**
   * The command line, with the path of its program and with placeholders. Null means that no program was found, or that
   * the agent runs the body of its card.
   */
  runs: z.array(z.string()).readonly().nullable(),
  /** The report of an ACP agent about itself. Null means that the agent does not use ACP or is not installed. */
  spoken: acpReport.nullable(),
})
export type CheckedAgent = z.infer<typeof checkedAgent>

export const checkedCli = z.object({
  name: z.enum(CLI_NAMES),
  title: z.string(),
  /** The path of the CLI. Null means that the CLI is not installed or not on the PATH. */
  program: z.string().nullable(),
  /** The version. Null means that the version is unknown; `fault` is the reason. */
  version: z.string().nullable(),
  fault: z.string().nullable(),
  /**
   * Signs that the CLI is logged in. Muster finds these signs without using the login, so a login may exist without
   * them.
   */
  logIn: z.object({
    /** A file that contains a login. Its content is not read. */
    file: z.string().nullable(),
    /** The names of login variables that are set. */
    variables: z.array(z.string()).readonly(),
  }),
  ...proof,
  /**
   * Whether the sandbox of the CLI kept a test command from writing. Null means that no test was made, for example
   * because it would cost tokens. `holds` is null if the test itself failed.
   */
  sandbox: z.object({ holds: z.boolean().nullable(), fault: z.string().nullable() }).nullable(),
  /** Faults that a person may want to fix. */
  notes: z.array(z.string()).readonly(),
})
export type CheckedCli = z.infer<typeof checkedCli>

export const pauseView = z.object({
  kind: z.enum(SLOT_KINDS),
  name: line,
  /** The reason why the account is paused. This is null for the pause of an agent, a board or a machine. */
  cause: z.enum(PAUSE_CAUSES).nullable(),
  by: line.nullable(),
  since: time,
  /** The time at which the pause ends without a command. Null means that a person must end it. */
  until: time.nullable(),
  reason: text.nullable(),
})
export type Pause = z.infer<typeof pauseView>

/** The input fields that name the machine, board, agent or account to pause or resume. */
export const pauseTarget = {
  kind: z.enum(SLOT_KINDS).exactOptional().describe('What to pause or resume: board, agent, account or machine'),
  name: line.exactOptional().describe('The name of the paused part; default: the current board, or this machine'),
}
