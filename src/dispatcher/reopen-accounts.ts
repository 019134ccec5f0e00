/** Resumes a paused account when its probe run has worked for some time without reaching the limit. */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Board } from '../core/board.ts'
import { DEFAULT_SETTINGS } from '../core/board.ts'
import type { Run } from '../core/run.ts'
import { loadHarness } from '../harnesses/index.ts'
import { runDirectoryAt } from '../runs/files/run-directory.ts'
import type { RunDirectory } from '../runs/files/run-directory.ts'
import { summarizeLog } from '../harnesses/stream/summarize-log.ts'
import { currentWait } from '../harnesses/stream/turn-summary.ts'
import { readTicket } from '../supervisor/start/ticket.ts'
import { readLeader } from '../runs/wrapper.ts'
import { DISPATCHER_ACTOR } from '../core/actor.ts'
import type { LeaderContext } from './dispatch-context.ts'

export async function reopenAccounts({ store, leadership }: LeaderContext, boards: readonly Board[]): Promise<void> {
  const probes = (await store.openRuns(leadership.machine)).filter(({ probe }) => probe)
  if (probes.length === 0) return
  const now = await store.now()
  for (const run of probes) {
    const { board, account, id, logPath } = run
    const { probeMs } = boards.find(({ slug }) => slug === board)?.settings ?? DEFAULT_SETTINGS
    if (account === null || logPath === null) continue
    const directory = runDirectoryAt(dirname(logPath))
    const begunAt = await workBegan(run, directory)
    if (begunAt === null || now - begunAt < probeMs) continue
    const known = await store.account(account)
    if (known?.probeRunId !== id || (await waitsForLimit(directory))) continue
    await store.decide({ verb: 'resume_account', board, actor: DISPATCHER_ACTOR, input: { account, probeRunId: id } })
  }
}

/**
 * The time at which the agent started to work, by the store's clock. This is null before that time. The setup of a
 * workspace does not count, because it calls no model. File times come from another clock, so only the difference of
 * two file times is used.
 */
async function workBegan({ id: runId, tokenHash, registeredAt }: Run, directory: RunDirectory): Promise<number | null> {
  if (registeredAt === null || (await readLeader(directory, { runId, tokenHash: tokenHash ?? '' })) === null)
    return null
  try {
    const [claimed, started] = await Promise.all([stat(directory.ticket), stat(directory.pid)])
    return registeredAt + Math.max(0, started.mtimeMs - claimed.mtimeMs)
  } catch {
    return null
  }
}

/**
 * Whether the log shows that the agent waits for the reset of a rate limit. Such an account may still be at its limit
 * although no error was reported. The log is short, because the first response of the model would have resumed the
 * account.
 */
async function waitsForLimit(directory: RunDirectory): Promise<boolean> {
  const harness = readTicket(directory)?.harness ?? null
  const readLine = harness === null ? null : ((await loadHarness(harness))?.readLine ?? null)
  if (readLine === null) return false
  const summary = await summarizeLog(directory.log, readLine)
  return (summary.failure ?? currentWait(summary)) !== null
}
