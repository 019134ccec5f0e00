/** Runs a task in this process, which is the helper itself or a test. */
import { BoardError } from '../core/errors.ts'
import type { RunFileTask } from './call-file-helper.ts'
import { FILE_TASKS } from './tasks.ts'
import type { FileJob } from './tasks.ts'

type AnyTask = (input: never, job: FileJob) => Promise<unknown>

export const runTaskHere: RunFileTask = async (name, input, { signal, onProgress = () => {} }) => {
  const task: AnyTask | undefined = Object.hasOwn(FILE_TASKS, name) ? FILE_TASKS[name] : undefined
  if (task === undefined)
    throw new BoardError('internal', `The file helper has no task ${name}: Muster was upgraded. Restart muster up.`)
  signal?.throwIfAborted()
  // The cast is safe, because the types of the caller come from the same table.
  return task(input as never, { signal: signal ?? new AbortController().signal, report: onProgress })
}
