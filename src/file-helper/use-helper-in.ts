import { useFileHelper } from './call-file-helper.ts'
import type { RunFileTask } from './call-file-helper.ts'

/** The file name of the built helper. The file is in the folder of the programs that start it. */
export const FILE_HELPER = 'files.js'

/** Sets the folder of the built helper. Nothing is loaded or started before the first task. */
export function useHelperIn(folder: string): void {
  let started: Promise<RunFileTask> | null = null
  useFileHelper(async (task, input, options) => {
    started ??= import('./helper-process.ts').then(({ startFileHelper }) => startFileHelper(`${folder}/${FILE_HELPER}`))
    return (await started)(task, input, options)
  })
}
