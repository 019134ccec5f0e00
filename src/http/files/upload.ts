/** Writes the body of a request into a temporary file. The file helper copies the attachment from this file. */
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from 'hono'
import { inHome, makePrivateFolder } from '../../config/home.ts'
import { open } from '../../util/guarded-files.ts'
import { newToken } from '../../util/mint.ts'
import { ATTACHMENT_BYTES } from '../../workspaces/files/attachment-files.ts'
import { tooLarge } from '../read-body.ts'

export async function withUpload<T>(
  c: Pick<Context, 'req'>,
  home: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  if (Number(c.req.header('content-length') ?? 0) > ATTACHMENT_BYTES) throw tooLarge(ATTACHMENT_BYTES)
  await makePrivateFolder(inHome.uploads(home))
  const path = join(inHome.uploads(home), newToken())
  try {
    await writeBody(c, path)
    return await use(path)
  } finally {
    await rm(path, { force: true })
  }
}

/** Unfinished uploads of this age are deleted. No request takes this long. */
const ABANDONED_MS = 24 * 3_600_000

/**
 * Deletes the files of uploads that a crash interrupted. Newer files stay, because another server with the same data
 * folder may still be writing them.
 */
export async function removeAbandonedUploads(home: string, now: number): Promise<void> {
  const folder = inHome.uploads(home)
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const info = await lstat(path).catch(() => null)
    if (info?.isFile() === true && now - info.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
  }
}

async function writeBody(c: Pick<Context, 'req'>, path: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  let size = 0
  try {
    for await (const piece of (c.req.raw.body ?? []) as AsyncIterable<Uint8Array>) {
      size += piece.length
      if (size > ATTACHMENT_BYTES) throw tooLarge(ATTACHMENT_BYTES)
      await handle.writeFile(piece)
    }
  } finally {
    await handle.close()
  }
}
