/**
 * What the adapters of agent CLIs share: the briefing on standard input, the board's tools in a file, one JSON object per
 * line of output, and sessions that can be resumed.
 */
import type { Adapter, Job, Launch } from './harness.ts'
import { toolsFile } from './mcp-entry.ts'
import { programPath } from './program.ts'
import type { Entry } from './stream/entry.ts'
import { readJson } from './stream/read-json.ts'
import type { Fields } from '../util/json-fields.ts'

/** What one CLI needs for a turn, beside what all of them get. */
export interface CliTurn extends Omit<Partial<Launch>, 'argv' | 'stdin'> {
  /** All arguments after the program. */
  readonly args: readonly string[]
}

interface AgentCli extends Pick<Adapter, 'nativeSkill' | 'sessionFiles'> {
  /** `resumeArgs` is empty for the first turn. */
  readonly start: (job: Job, resumeArgs: readonly string[]) => CliTurn
  readonly resumeArguments: (session: string) => readonly string[]
  readonly entriesIn: (fields: Fields) => readonly Entry[]
  /** Reads a line that is not JSON. Absent: such lines are ignored. */
  readonly prose?: (line: string) => readonly Entry[]
}

/** A session becomes an argument, so it must not look like an option. */
const SESSION = /^\w[\w.:-]{0,254}$/

export const option = (name: string, value: string | null): readonly string[] => (value === null ? [] : [name, value])

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
    readLine: readJson(entriesIn, prose),
  }
}
