/**
 * Asks the file helper to read, hash or copy files that are not Muster's own. A process that has a SQLite store open
 * must not do that itself. If it closes any descriptor of the database file, opened under any name, the system drops
 * the locks of the whole process, and later commits are lost.
 */
import type { SweepFiles } from '../workspaces/sweep/sweep-workspace.ts'
import { BoardError } from '../core/errors.ts'
import type { FileTasks } from './tasks.ts'

export type FileTask = keyof FileTasks
export type TaskInput<Name extends FileTask> = Parameters<FileTasks[Name]>[0]
export type TaskValue<Name extends FileTask> = Awaited<ReturnType<FileTasks[Name]>>

export interface CallOptions {
  /** If this signal aborts, the task ends, and the call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: (progress: unknown) => void
}

/** Runs a task by name: in the helper process, or in this process in tests. */
export type RunFileTask = (name: FileTask, input: unknown, options: CallOptions) => Promise<unknown>

let runTask: RunFileTask = () =>
  Promise.reject(new BoardError('internal', 'This program has no file helper: its entry must call useFileHelper.'))

/** Sets how tasks run. The entry of a program calls this once. */
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

/** The file operations of a sweep, done by the file helper. */
export const sweepFiles: SweepFiles = {
  examineFolder: (input) => callFileHelper('examineFolder', input),
  archiveFolder: (input) => callFileHelper('archiveFolder', input),
  snapshotWorktree: (input) => callFileHelper('snapshotWorktree', input),
}
