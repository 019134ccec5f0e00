/**
 * What the adapters of agent CLIs share: the briefing on standard input, the tools of the board in a file, one JSON object
 * per line out, a session that can be resumed.
 */
import type { Adapter, Job, Launch } from './harness.ts'
import { toolsFile } from './mcp-entry.ts'
import { programPath } from './program.ts'
import type { Entry } from './stream/entry.ts'
import { readJson } from './stream/read-json.ts'
import type { Fields } from '../util/json-fields.ts'

/** A turn of one CLI, without what each of them is given. */
export interface CliTurn extends Omit<Partial<Launch>, 'argv' | 'stdin'> {
  /** All that follows its program. */
  readonly args: readonly string[]
}

interface AgentCli extends Pick<Adapter, 'nativeSkill' | 'sessionFiles'> {
  /** `how`: the arguments that resume a session, if there is one. */
  readonly start: (job: Job, how: readonly string[]) => CliTurn
  readonly resuming: (session: string) => readonly string[]
  readonly entriesIn: (fields: Fields) => readonly Entry[]
  /** What a line says that is no JSON; left out, nothing. */
  readonly prose?: (line: string) => readonly Entry[]
}

/** A session becomes an argument: what looks like an option is none. */
const SESSION = /^\w[\w.:-]{0,254}$/

/** Arguments for what an agent's file or card says, if it does. */
export const option = (name: string, value: string | null): readonly string[] => (value === null ? [] : [name, value])

export function cliAdapter({ start, resuming, entriesIn, prose, ...same }: AgentCli): Adapter {
  const launch = (job: Job, words: string, how: readonly string[]): Launch => {
    const { directory } = job
    const { args, files = [], ...rest } = start(job, how)
    return {
      ...rest,
      argv: [programPath(job), ...args],
      files: [{ path: directory.briefing, content: words }, { path: directory.mcp, content: toolsFile(job) }, ...files],
      stdin: directory.briefing,
    }
  }
  return {
    ...same,
    launch: (job) => launch(job, job.briefing, []),
    resume: (job, { message, session }) =>
      session === null || !SESSION.test(session) ? null : launch(job, message, resuming(session)),
    readLine: readJson(entriesIn, prose),
  }
}
