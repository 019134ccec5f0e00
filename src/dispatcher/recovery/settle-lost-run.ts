/** Settles a run from the files that its dead supervisor left, as the supervisor would have done. */
import type { Run } from '../../core/run.ts'
import { loadHarness } from '../../harnesses/index.ts'
import type { ReadLine } from '../../harnesses/stream/entry.ts'
import { summarizeLog } from '../../harnesses/stream/summarize-log.ts'
import { hasCrashed, classifyEnding } from '../../harnesses/stream/classify-ending.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'
import { readTicket } from '../../supervisor/start/ticket.ts'
import { readLastOutput } from '../../supervisor/turns/last-output.ts'
import { swarmWorkers } from '../../supervisor/swarm-workers.ts'
import { commitRun } from '../../supervisor/workspace/commit-run.ts'
import { DISPATCHER_ACTOR } from '../../core/actor.ts'
import type { LeaderContext } from '../dispatch-context.ts'
import type { SettledRun } from '../report.ts'
import type { Loss } from './find-lost-runs.ts'
import type { Ending } from '../../core/transitions/settlement/input.ts'
import { readUnrecordedVerdict } from './unrecorded-verdict.ts'

interface LostEnd {
  readonly ending: Ending
  /** The directory of the run. Null means that this machine cannot read the files of the run. */
  readonly directory: RunDirectory | null
  readonly loss: Loss
}

/**
 * Settles the run. Returns null if the store refuses, because the run was settled in the meantime or its lease was
 * renewed.
 */
export async function settleLostRun(
  context: LeaderContext,
  run: Run,
  { ending, directory, loss }: LostEnd,
): Promise<SettledRun | null> {
  const { machine, tokenHash } = context.leadership
  const files = directory === null ? null : await readFiles(run, ending, directory)
  const changes = files === null ? null : await commitChanges(context, run, files)
  const card = await context.store.task(run.board, run.taskId)
  const settled = await context.store.decide({
    verb: 'settle',
    board: run.board,
    actor: DISPATCHER_ACTOR,
    input: {
      task: run.taskId,
      runId: run.id,
      by: {
        machine,
        dispatcherTokenHash: tokenHash,
        unregistered: run.identity === null,
        lapsed: loss === 'lapsed',
      },
      ending: files?.ending ?? ending,
      account: run.account,
      verdict: files?.unrecorded?.verdict ?? null,
      completesOnExit: files?.completesOnExit ?? false,
      usage: files?.output?.usage ?? null,
      changes,
      workers: card === null ? [] : await swarmWorkers(context.store, card),
      lastOutput: files === null ? null : await lastOutputOf(files, ending),
    },
  })
  if (!settled.ok) return null
  await files?.unrecorded?.archiveFile?.()
  const { outcome, status } = settled.result
  return { id: run.taskId, board: run.board, runId: run.id, phase: run.phase, outcome, status }
}

type LostRunFiles = Awaited<ReturnType<typeof readFiles>>

async function readFiles(run: Run, exit: Ending, directory: RunDirectory) {
  const ticket = readTicket(directory)
  const completesOnExit = ticket?.completesOnExit ?? null
  const readLine: ReadLine | null = ticket === null ? null : ((await loadHarness(ticket.harness))?.readLine ?? null)
  const output = readLine === null ? null : await summarizeLog(directory.log, readLine)
  const unrecorded = await readUnrecordedVerdict(run, { ending: exit, directory, completesOnExit })
  const ending = output === null ? exit : classifyEnding(exit, output)
  return { directory, completesOnExit, readLine, output, unrecorded, ending }
}

/** Commits the work of the run, unless the supervisor made the commit before it died. */
async function commitChanges({ store, options }: LeaderContext, run: Run, files: LostRunFiles) {
  const [task, board] = await Promise.all([store.task(run.board, run.taskId), store.board(run.board)])
  if (task === null || board === null || task.workspace.kind !== 'worktree') return null
  const { directory, ending, unrecorded } = files
  const verdict = unrecorded?.verdict ?? null
  const completesOnExit = files.completesOnExit ?? false
  const { settings } = board
  return commitRun({ home: options.home, task, run, settings, directory, ending, verdict, completesOnExit })
}

/**
 * The text that explains the ending best. After a crash, the CLI's last output explains more than the agent's last
 * message.
 */
async function lastOutputOf({ directory, readLine, output }: LostRunFiles, exit: Ending): Promise<string | null> {
  const message = output?.lastMessage ?? null
  return (hasCrashed(exit) ? null : message) ?? (await readLastOutput(directory.log, readLine)) ?? message
}
