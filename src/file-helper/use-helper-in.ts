import { useFileHelper } from './call-file-helper.ts'
import type { RunFileTask } from './call-file-helper.ts'

/** The built helper, beside the programs that start it. */
export const FILE_HELPER = 'files.js'

/** Lets this program start the helper from a folder. The first call loads its code. */
export function useHelperIn(folder: string): void {
  let started: Promise<RunFileTask> | null = null
  useFileHelper(async (task, input, options) => {
    started ??= import('./helper-process.ts').then(({ startFileHelper }) => startFileHelper(`${folder}/${FILE_HELPER}`))
    return (await started)(task, input, options)
  })
}
