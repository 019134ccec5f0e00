/**
 * Collects the evidence for the judge of a goal: the changes in the workspace, the checks and the end of the output.
 */
import { createHash } from 'node:crypto'
import { goalOf } from '../../core/goal.ts'
import { requiredChecks } from '../../core/required-checks.ts'
import type { Run } from '../../core/run.ts'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import type { Evidence } from '../../planning/judge/prompt.ts'
import type { TaskView } from '../../storage/store.ts'
import { readLogTail } from '../../runs/log/log-tail.ts'
import { diffWork } from '../../workspaces/landing/diff-work.ts'
import type { FileChange } from '../../workspaces/landing/changed-files.ts'
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
  const [changes, output] = await Promise.all([changesIn(owned, task), lastOutput(owned, work.monitor)])
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

type Changes = Pick<Evidence, 'files' | 'content'>

/** If the changes cannot be read, the judge decides without them, and the prompt explains why they are missing. */
async function changesIn(owned: SupervisedRun, task: TaskView): Promise<Changes> {
  try {
    return task.workspace.kind === 'worktree' ? await worktreeChanges(owned, task) : await changedFiles(owned, task)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { files: `The changes could not be read: ${why}`, content: null }
  }
}

async function worktreeChanges({ ticket: { home } }: SupervisedRun, task: TaskView): Promise<Changes> {
  const { board, branch, id, landed, workspace } = task
  const { repo, base, baseBranch } = workspace
  const path = workspacePath(workspace, { home, board, task: id })
  if (repo === null || branch === null || path === null) return { files: null, content: null }
  const place = { home, card: id, repo, branch, path, base, baseBranch, landedTip: landed?.tip ?? null }
  const { files } = await diffWork({ ...place, patch: false })
  // A patch that exceeds git's output limit is left out. The list of files remains.
  const { patch } = await diffWork({ ...place, patch: true }).catch(() => ({ patch: null }))
  return { files: files.map(fileLine).join('\n'), content: patch }
}

const fileLine = ({ path, change, added, removed }: FileChange): string =>
  `${change} ${path}${added === null ? ' (binary)' : ` +${added} -${removed ?? 0}`}`

async function changedFiles({ ticket: { home } }: SupervisedRun, task: TaskView): Promise<Changes> {
  const { board, id, startedAt, workspace } = task
  const folder = workspacePath(workspace, { home, board, task: id })
  if (folder === null) return { files: null, content: null }
  // In a scratch folder, every file is the agent's. In other folders, files from before the run belong to the user.
  const since = workspace.kind === 'scratch' ? null : startedAt
  return callFileHelper('readChanges', { folder, home, workspace, since })
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
