/**
 * Resumes the session of an earlier run. If a person answered the agent's question and this machine still has the
 * session, the next run continues in it. The agent keeps its context and reads the answer as the next message.
 */
import { dirname, join } from 'node:path'
import { makePrivateFolder } from '../../config/home.ts'
import type { Run } from '../../core/run.ts'
import { runProgram } from '../../processes/run-program.ts'
import type { Launch } from '../../harnesses/harness.ts'
import { noteInLog } from '../../runs/log/log-note.ts'
import { runDirectory } from '../../runs/files/run-directory.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'
import { readSession } from './session-file.ts'
import type { KeptSession } from './session-file.ts'
import type { ConnectedRun } from '../supervised-run.ts'
import { retryUntilAvailable } from '../retry.ts'
import type { PreparedAgent } from '../start-agent.ts'

/** The outcomes of runs that ended by a verdict. After any other outcome, the next attempt starts a new session. */
const ENDED_BY_VERDICT: readonly Run['outcome'][] = ['blocked', 'completed', 'review_requested']

export interface Resumed {
  readonly launch: Launch
  readonly kept: KeptSession
}

/** Prepares the session of the earlier run. Returns null if the run must start a new session. */
export async function resumeEarlier(
  owned: ConnectedRun,
  prepared: PreparedAgent,
  signal: AbortSignal,
): Promise<Resumed | null> {
  const { store, ticket, task, run, directory } = owned
  const { harness, job, resumed, answeredAt } = prepared
  if (run.attempt === 1 || answeredAt === null) return null
  const last = lastOf(await retryUntilAvailable(() => store.runs(ticket.board, task.id), { signal }), run)
  if (last === null || last.endedAt === null || answeredAt < last.endedAt) return null
  const earlier = runDirectory(ticket.home, last.id)
  const kept = await readSession(earlier)
  if (kept === null || kept.harness !== ticket.harness || kept.workspace !== job.workspace) return null
  const launch = harness.resume(job, { message: resumed, session: kept.id })
  if (launch === null) return null
  await copySessionFiles(harness.sessionFiles ?? [], earlier, directory)
  await noteInLog(directory.log, `resumes the session of run ${last.id}`)
  return { launch, kept }
}

/** The previous run of the same phase. This is null unless the same agent had this run and ended it with a verdict. */
function lastOf(runs: readonly Run[], { id, phase, agent }: Run): Run | null {
  const last = runs
    .filter((run) => run.id !== id && run.phase === phase && run.kind === 'agent')
    .toSorted((a, b) => b.attempt - a.attempt)[0]
  return last !== undefined && last.agent === agent && ENDED_BY_VERDICT.includes(last.outcome) ? last : null
}

/**
 * Copies session files, because some CLIs keep their sessions in the run directory. A child process copies the files:
 * the agent wrote them, so they are not trusted. If the copy fails, the CLI does not find the session, and the agent
 * gets the full briefing.
 */
async function copySessionFiles(names: readonly string[], from: RunDirectory, to: RunDirectory): Promise<void> {
  for (const name of names) {
    const target = join(to.path, name)
    await makePrivateFolder(dirname(target))
    await runProgram('cp', ['-RP', '--', join(from.path, name), target], { cwd: to.path })
  }
}
