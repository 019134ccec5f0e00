/** Formats the rows about the files of a card: its folder, branch, attachments and snapshots. */
import type { Results } from '../../operations/cards/locate-results.ts'
import type { TaskDetails } from '../../operations/shared/views.ts'
import { oneLine } from '../output/escape.ts'
import { localTime, size } from './format-values.ts'
import type { Row } from './page-layout.ts'

const FILES_SHOWN = 10

export const fileRows = (task: TaskDetails, results: Results | null): readonly Row[] => [
  ...folderRows(task, results),
  ...branchRows(task),
  ...attachedRows(task),
  ...snapshotRows(results),
]

function folderRows({ workspace }: TaskDetails, results: Results | null): readonly Row[] {
  if (results === null)
    return workspace.path === null ? [] : [{ name: 'folder', text: oneLine(workspace.path), exact: true }]
  if (results.elsewhere !== null) return [{ name: 'folder', text: `on machine ${oneLine(results.elsewhere)}` }]
  return results.folder === null ? [] : [{ name: 'folder', text: oneLine(results.folder), exact: true }]
}

function branchRows({ branch, workspace, landed, hasUnlandedWork }: TaskDetails): readonly Row[] {
  if (workspace.kind !== 'worktree' || branch === null || workspace.base === null) return []
  return [
    { name: 'branch', text: oneLine(branch), exact: true },
    ...(workspace.repo === null ? [] : [{ name: 'repository', text: oneLine(workspace.repo), exact: true }]),
    { name: 'based on', text: commitText(workspace.base, workspace.baseBranch) },
    ...(landed === null
      ? []
      : [
          {
            name: 'landed',
            text: `${commitText(landed.commit, landed.into)}${hasUnlandedWork ? '; newer commits have not landed' : ''}`,
          },
        ]),
  ]
}

const commitText = (commit: string, branch: string | null): string =>
  branch === null ? commit.slice(0, 12) : `${oneLine(branch)} at ${commit.slice(0, 12)}`

/** The rows of attachments. An attachment that belongs to a run is an artifact of this run. */
function attachedRows({ id, attachments }: TaskDetails): readonly Row[] {
  const shown = attachments.slice(0, FILES_SHOWN).map(({ filename, size: bytes, uploadedBy, runId }) => ({
    name: runId === null ? 'attachment' : 'artifact',
    text: `${oneLine(filename)}  ${size(bytes)}  by ${oneLine(uploadedBy)}`,
  }))
  if (attachments.length === 0) return []
  return [...shown, { name: 'paths', text: `muster attachments ${id}`, exact: true }]
}

function snapshotRows(results: Results | null): readonly Row[] {
  if (results?.snapshot == null) return []
  const { id, snapshot, snapshots } = results
  return [
    {
      name: 'snapshot',
      text: `${snapshot.files} ${snapshot.files === 1 ? 'file' : 'files'}, ${size(snapshot.bytes)}, ${localTime(snapshot.takenAt)}${snapshots === 1 ? '' : ` (${snapshots - 1} older)`}`,
    },
    { name: 'restore', text: `muster restore ${id}`, exact: true },
    ...(snapshots === 1 ? [] : [{ name: 'list all', text: `muster snapshots ${id}`, exact: true }]),
  ]
}
