import type { SweepFiles } from '../workspaces/sweep/sweep-workspace.ts'
import { callFileHelper } from './call-file-helper.ts'

/** What a sweep does with the files of a workspace, done by the file helper. */
export const sweepFiles: SweepFiles = {
  examineFolder: (wish) => callFileHelper('examineFolder', wish),
  archiveFolder: (wish) => callFileHelper('archiveFolder', wish),
  snapshotWorktree: (wish) => callFileHelper('snapshotWorktree', wish),
}
