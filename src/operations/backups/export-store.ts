import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { openSync } from '../../util/guarded-files.ts'
import { BoardError } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'
import { fileFault, syncFolder } from '../../workspaces/managed-folder.ts'
import { writeExport } from './export-pieces.ts'
import { defineOperation } from '../shared/operation.ts'

/** Exports the store to a file. The file gets its final name only when its whole content is on the disk. */
export const exportStore = defineOperation({
  name: 'backup export',
  kind: 'local',
  actor: 'person',
  scope: 'store',
  summary: 'Write everything in the store as one JSON document.',
  schemas: ({ z, absolutePath, count }) => ({
    input: z.object({ to: absolutePath.describe('The file to write; it must not exist yet') }),
    output: z.object({
      path: z.string(),
      bytes: count,
      /** The number of rows of each table. */
      rows: z.record(z.string(), count),
    }),
  }),
  run: async ({ openStore }, { to }) => {
    const store = await openStore('read')
    const part = `${to}.part.${process.pid}.${randomBytes(4).toString('hex')}`
    try {
      const { bytes, rows } = await writeToFile(store, part)
      linkSync(part, to)
      await syncFolder(dirname(to))
      return { path: to, bytes, rows }
    } catch (error) {
      throw explain(error, to)
    } finally {
      rmSync(part, { force: true })
      await store.close()
    }
  },
})

/** Writes the file. The writes are synchronous, so that pending output does not fill the memory. */
async function writeToFile(store: Store, path: string): Promise<{ bytes: number; rows: Record<string, number> }> {
  const file = openSync(path, 'wx', 0o600)
  try {
    let bytes = 0
    const rows = await writeExport(store, (piece) => {
      bytes += writeAll(file, Buffer.from(piece))
    })
    fsyncSync(file)
    return { bytes, rows }
  } finally {
    closeSync(file)
  }
}

function writeAll(file: number, content: Uint8Array): number {
  for (let at = 0; at < content.byteLength;) at += writeSync(file, content, at)
  return content.byteLength
}

function explain(error: unknown, to: string): unknown {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  if (code === 'EEXIST')
    return new BoardError('invalid_input', `${to} already exists. Choose another name.`, { details: { path: to } })
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new BoardError('invalid_input', `Folder ${dirname(to)} does not exist. Create it first.`, {
      details: { path: to },
    })
  return fileFault(error, dirname(to))
}
