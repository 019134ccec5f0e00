/** Saves attachments of a card as files on this machine. */
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { BoardError } from '../core/errors.ts'
import type { AttachmentFile } from '../operations/attachments/list-attachments.ts'
import { open } from '../util/guarded-files.ts'
import { systemReason } from '../util/system-errors.ts'
import type { Invocation } from './invocation.ts'

/** Returns the files with the paths of their copies. An existing file is never replaced. */
export async function saveAttachments(
  cli: Invocation,
  files: readonly AttachmentFile[],
  folder: string,
): Promise<readonly AttachmentFile[]> {
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw unwritable(folder, cause)
  })
  const saved: AttachmentFile[] = []
  for (const file of files) {
    // The name comes from a server, so it must not lead out of the folder.
    const path = join(folder, basename(file.filename))
    await save(path, cli.download(file))
    saved.push({ ...file, path })
  }
  return saved
}

async function save(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx').catch((cause: unknown) => {
    throw unwritable(path, cause)
  })
  try {
    for await (const piece of content) await handle.writeFile(piece)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

function unwritable(path: string, cause: unknown): BoardError {
  const { code } = cause as NodeJS.ErrnoException
  const message =
    code === 'EEXIST'
      ? `${path} already exists. Choose another folder.`
      : `Can't write ${path}: ${systemReason(cause)}.`
  return new BoardError('invalid_input', message, { details: { path }, cause })
}
