/**
 * Lets the file helper read, hash or copy files that are not Muster's own. A process that has a SQLite store open must
 * not do this itself. If it closed any descriptor of the database file, under any name, the system would drop the locks
 * of the whole process. Later commits would be lost.
 */
import type { SweepFiles } from '../workspaces/sweep/sweep-workspace.ts'
import { BoardError } from '../core/errors.ts'
import type { FileTasks } from './tasks.ts'

export type FileTask = keyof FileTasks
export type TaskInput<Name extends FileTask> = Parameters<FileTasks[Name]>[0]
export type TaskValue<Name extends FileTask> = Awaited<ReturnType<FileTasks[Name]>>

export interface CallOptions {
  /** The signal that ends the task. The call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: (progress: unknown) => void
}

/**
 * Runs a task by name. In the product, the task runs in the helper process; in tests, it runs in the test's own
 * process.
 */
export type RunFileTask = (name: FileTask, input: unknown, options: CallOptions) => Promise<unknown>

let runTask: RunFileTask = () =>
  Promise.reject(new BoardError('internal', 'This program has no file helper: its entry must call useFileHelper.'))

/** Sets how tasks run. The entry of each program calls this function once. */
export function useFileHelper(run: RunFileTask): void {
  runTask = run
}

export const callFileHelper = <Name extends FileTask>(
  name: Name,
  input: TaskInput<Name>,
  options: CallOptions = {},
): Promise<TaskValue<Name>> =>
  // The cast is safe, because the helper runs the same table of tasks from which these types come.
  runTask(name, input, options) as Promise<TaskValue<Name>>

/** The file operations that a clean-up needs. The file helper runs them. */
export const sweepFiles: SweepFiles = {
  examineFolder: (input) => callFileHelper('examineFolder', input),
  archiveFolder: (input) => callFileHelper('archiveFolder', input),
  snapshotWorktree: (input) => callFileHelper('snapshotWorktree', input),
}
