/**
 * The common part of the adapters for agent CLIs. All these CLIs read the briefing on standard input and the board's
 * tools from a file, print one JSON object per line, and can resume sessions.
 */
import { findProgram } from '../processes/find-program.ts'
import type { Adapter, Job, Launch, RunSkill } from './harness.ts'
import { toolsFile } from './mcp-entry.ts'
import type { Entry } from './stream/entry.ts'
import { jsonLineReader } from './stream/entries-in.ts'
import type { Fields } from '../util/json-fields.ts'

/** The part of a launch that depends on the CLI. The briefing and the tools file are the same for every CLI. */
export interface CliTurn extends Omit<Partial<Launch>, 'argv' | 'stdin'> {
  /** All arguments after the program. */
  readonly args: readonly string[]
}

interface AgentCli extends Pick<Adapter, 'nativeSkill' | 'sessionFiles'> {
  /** Builds the launch of a turn. `resumeArgs` is empty for the first turn. */
  readonly start: (job: Job, resumeArgs: readonly string[]) => CliTurn
  readonly resumeArguments: (session: string) => readonly string[]
  readonly entriesIn: (fields: Fields) => readonly Entry[]
  /** Parses a line that is not JSON. If this is absent, such lines are ignored. */
  readonly prose?: (line: string) => readonly Entry[]
}

/** The form of a session id. The id becomes an argument, so it must not look like an option. */
const SESSION = /^\w[\w.:-]{0,254}$/

export const option = (name: string, value: string | null): readonly string[] => (value === null ? [] : [name, value])

/** The path of the program. The PATH is searched again, because the program may have been removed since the claim. */
export function programPath({ agent, program, path }: Pick<Job, 'agent' | 'program' | 'path'>): string {
  const found = program === null ? null : findProgram(program, path)
  if (found === null) throw new Error(`Agent ${agent.name} needs ${program}, which is not installed or not executable.`)
  return found
}

/** The user's skills that the agent loads by name. The CLI itself finds the skills of a repository. */
export const skillsToLoad = ({ skills = [] }: Pick<Job, 'skills'>): readonly RunSkill[] =>
  skills.filter(({ at, isPlain }) => at === 'home' && isPlain)

export function cliAdapter({ start, resumeArguments, entriesIn, prose, ...same }: AgentCli): Adapter {
  const launch = (job: Job, message: string, resumeArgs: readonly string[]): Launch => {
    const { directory } = job
    const { args, files = [], ...rest } = start(job, resumeArgs)
    return {
      ...rest,
      argv: [programPath(job), ...args],
      files: [
        { path: directory.briefing, content: message },
        { path: directory.mcp, content: toolsFile(job) },
        ...files,
      ],
      stdin: directory.briefing,
    }
  }
  return {
    ...same,
    launch: (job) => launch(job, job.briefing, []),
    resume: (job, { message, session }) =>
      session === null || !SESSION.test(session) ? null : launch(job, message, resumeArguments(session)),
    readLine: jsonLineReader(entriesIn, prose),
  }
}
