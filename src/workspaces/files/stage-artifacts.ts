/**
 * Copies files before they become attachments of a card. If one file cannot be copied, none is copied. Each copy is
 * named by the hash of its content.
 */
import { rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ATTACHMENT_BYTES, PART_PREFIX, tooLarge, writeContent } from './attachment-files.ts'
import { enterFolder, fileFault } from '../managed-folder.ts'
// oxlint-disable-next-line muster/powers -- only the file helper runs the callers
import { examineFile, readPieces } from './readable-file.ts'
import { safeName } from './safe-name.ts'

/** A folder beside the folders of the cards. Its name begins with a dot, so it is never the id of a card. */
export const STAGE = '.staged'

export interface Staged {
  readonly name: string
  readonly path: string
  readonly size: number
  readonly sha256: string
}

export interface Stage {
  /** The folder with the copies. The caller removes it when the copies are stored or no longer needed. */
  readonly folder: string
  readonly files: readonly Staged[]
}

export interface StagePlace {
  readonly home: string
  readonly store: string
  readonly board: string
  /** A name that is unique to this copy operation. */
  readonly key: string
}

/**
 * Copies the files. All files are checked before the first file is copied, so that a missing file is reported at once.
 */
export async function stageArtifacts(
  { home, store, board, key }: StagePlace,
  paths: readonly string[],
): Promise<Stage> {
  const wanted = [...new Set(paths)]
  for (const path of wanted) await examineArtifact(path, store)
  const folder = await enterFolder(home, 'boards', board, 'attachments', STAGE, key)
  try {
    const files: Staged[] = []
    for (const path of wanted) files.push(await stageFile(folder, path))
    return { folder, files: files.filter(isFirst) }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw fileFault(error, folder)
  }
}

async function examineArtifact(path: string, store: string): Promise<void> {
  safeName(path)
  if ((await examineFile(path, store)) > ATTACHMENT_BYTES) throw tooLarge(path)
}

/** Two files with the same name and content count as one, even if their paths differ. */
const isFirst = (file: Staged, at: number, all: readonly Staged[]): boolean =>
  all.findIndex(({ name, sha256 }) => name === file.name && sha256 === file.sha256) === at

async function stageFile(folder: string, path: string): Promise<Staged> {
  const part = join(folder, `${PART_PREFIX}next`)
  // An earlier helper process may have died and left an unfinished copy at this path.
  await rm(part, { force: true })
  const written = await writeContent(part, path, readPieces(path))
  const staged = join(folder, written.sha256)
  await rename(part, staged)
  return { name: safeName(basename(path)), path: staged, ...written }
}
