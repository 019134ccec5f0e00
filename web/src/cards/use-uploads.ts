/**
 * Uploads files to a card, one after another. A file that failed stays in the list, so that the person can try again.
 */
import { useState } from 'react'
import { asClientError } from '../api/errors.ts'
import { uploadFile } from '../api/upload.ts'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage } from '../i18n/use-messages.tsx'

export interface DraftFile {
  readonly id: number
  readonly file: File
  /** The share of the file that was sent, from 0 to 1. Null before the upload starts. */
  readonly sent: number | null
  readonly error: string | null
}

interface Uploads {
  readonly files: readonly DraftFile[]
  /** Adds files to the list without uploading them. */
  readonly add: (files: readonly File[]) => readonly DraftFile[]
  readonly remove: (id: number) => void
  readonly clear: () => void
  /** Uploads the given files, or all files. Resolves to the number of failed files. */
  readonly upload: (task: string, some?: readonly DraftFile[]) => Promise<number>
}

let nextId = 1

export function useUploads(): Uploads {
  const language = useLanguage()
  const [files, setFiles] = useState<readonly DraftFile[]>([])
  const change = (id: number, facts: Partial<DraftFile>): void =>
    setFiles((before) => before.map((one) => (one.id === id ? { ...one, ...facts } : one)))
  const remove = (id: number): void => setFiles((before) => before.filter((one) => one.id !== id))
  const send = async (task: string, { id, file }: DraftFile): Promise<boolean> => {
    change(id, { sent: 0, error: null })
    try {
      await uploadFile({ task, file, onProgress: (sent) => change(id, { sent }) })
      remove(id)
      return true
    } catch (error) {
      change(id, { sent: null, error: describeError(asClientError(error), language) })
      return false
    }
  }
  return {
    files,
    add(added) {
      const drafts = added.map((file) => {
        const id = nextId
        nextId += 1
        return { id, file, sent: null, error: null }
      })
      setFiles((before) => [...before, ...drafts])
      return drafts
    },
    remove,
    clear: () => setFiles([]),
    async upload(task, some = files) {
      let failed = 0
      for (const one of some) if (!(await send(task, one))) failed += 1
      return failed
    },
  }
}
