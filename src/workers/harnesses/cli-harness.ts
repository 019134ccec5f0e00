/** What the adapters of agent CLIs share: briefing in, one JSON object per line out, a session that can be resumed. */
import type { Harness, Job, Launch } from '../harness.ts'
import type { Entry } from '../stream/entry.ts'
import { objectIn } from '../stream/json-line.ts'
import type { Fields } from '../stream/json-line.ts'

interface AgentCli extends Pick<Harness, 'nativeSkill' | 'modelFault'> {
  readonly program: string
  /** A turn, told these words; `how` are the arguments that resume a session, if there is one. */
  readonly start: (job: Job, words: string, how: readonly string[]) => Launch
  readonly resuming: (session: string) => readonly string[]
  readonly entriesIn: (fields: Fields) => readonly Entry[]
  /** What a line says that is no JSON; left out, nothing. */
  readonly prose?: (line: string) => readonly Entry[]
}

export const cliHarness = ({ start, resuming, entriesIn, prose = () => [], ...same }: AgentCli): Harness => ({
  ...same,
  nonceInEnvironment: false,
  needsProgram: true,
  readsBriefing: true,
  runsTheCard: false,
  faultIn: () => null,
  launch: (job) => start(job, job.briefing, []),
  resume: (job, { message, session }) =>
    session === null || !NAME.test(session) ? null : start(job, message, resuming(session)),
  readLine: (line) => {
    const fields = objectIn(line)
    return fields === null ? prose(line) : entriesIn(fields)
  },
})

/** A session becomes an argument: what looks like an option is none. */
const NAME = /^\w[\w.:-]{0,254}$/
