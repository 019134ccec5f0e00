/** Reads the changes of a card for a judge. */
import type { Task } from '../../core/task.ts'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import { diffWork } from '../../workspaces/landing/diff-work.ts'
import type { FileChange } from '../../workspaces/landing/changed-files.ts'
import { workspacePath } from '../../workspaces/workspace.ts'
import type { Evidence } from './prompt.ts'

/** The changed files, one per line, and the changes as a patch or the content of the files. Null: not known. */
export type WorkChanges = Pick<Evidence, 'files' | 'content'>

type Work = Pick<Task, 'board' | 'id' | 'branch' | 'landed' | 'workspace' | 'startedAt'>

/** If the changes cannot be read, the judge decides without them, and the prompt explains why they are missing. */
export async function changesOfWork(home: string, task: Work): Promise<WorkChanges> {
  try {
    return task.workspace.kind === 'worktree' ? await worktreeChanges(home, task) : await changedFiles(home, task)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { files: `The changes could not be read: ${why}`, content: null }
  }
}

async function worktreeChanges(home: string, task: Work): Promise<WorkChanges> {
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

async function changedFiles(home: string, task: Work): Promise<WorkChanges> {
  const { board, id, startedAt, workspace } = task
  const folder = workspacePath(workspace, { home, board, task: id })
  if (folder === null) return { files: null, content: null }
  // In a scratch folder, every file is the agent's. In other folders, files from before the run belong to the user.
  const since = workspace.kind === 'scratch' ? null : startedAt
  return callFileHelper('readChanges', { folder, home, workspace, since })
}
