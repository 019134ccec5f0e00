/**
 * Collects the evidence for the judge of a goal: the changes in the workspace, the checks and the end of the output.
 */
import { createHash } from 'node:crypto'
import { goalOf } from '../../core/goal.ts'
import { requiredChecks } from '../../core/required-checks.ts'
import type { Run } from '../../core/run.ts'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import type { Evidence } from '../../planning/judge/prompt.ts'
import { changesOfWork } from '../../planning/judge/work-changes.ts'
import type { TaskView } from '../../storage/store.ts'
import { readLogTail } from '../../runs/log/log-tail.ts'
import { workspacePath } from '../../workspaces/workspace.ts'
import type { OutputMonitor } from '../turns/output-monitor.ts'
import { findReader } from '../turns/find-reader.ts'
import { readLastOutput } from '../turns/last-output.ts'
import type { SupervisedRun } from '../supervised-run.ts'

interface WorkToJudge {
  readonly task: TaskView
  readonly run: Run
  readonly monitor: Pick<OutputMonitor, 'lastMessage'>
}

export async function collectEvidence(owned: SupervisedRun, work: WorkToJudge): Promise<Evidence> {
  const { task, run } = work
  const [changes, output] = await Promise.all([changesOfWork(owned.ticket.home, task), lastOutput(owned, work.monitor)])
  const { checks, verdict } = run
  return {
    ...changes,
    checks:
      requiredChecks(task, run).length === 0 || checks?.output == null
        ? null
        : { passed: checks.passedAt !== null, output: checks.output },
    output,
    claim: verdict === null ? null : claimIn(verdict),
  }
}

function claimIn(verdict: NonNullable<Run['verdict']>): string {
  const { summary } = verdict
  const result = verdict.kind === 'complete' ? verdict.result : null
  return [summary, result].filter((part) => part !== null && part.trim() !== '').join('\n\n')
}

async function lastOutput(
  { directory }: SupervisedRun,
  { lastMessage }: WorkToJudge['monitor'],
): Promise<string | null> {
  if (lastMessage !== null) return lastMessage
  const readLine = await findReader(directory.log)
  return readLine === null ? readLogTail(directory.log) : readLastOutput(directory.log, readLine)
}

/** Hashes the files and the task. Null means that the files could not be hashed, so no turn is skipped as unchanged. */
export async function hashOfWork({ ticket: { home } }: SupervisedRun, task: TaskView): Promise<string | null> {
  const { board, id, title, body, workspace } = task
  const folder = workspacePath(workspace, { home, board, task: id })
  const content = folder === null ? null : await callFileHelper('hashContent', { folder, home, workspace })
  if (content === null) return null
  const judged = JSON.stringify([content, title, body, task.checks, goalOf(task)?.judge])
  return createHash('sha256').update(judged).digest('hex')
}
