/**
 * The attachments of cards, in `boards/<board>/attachments/<card>/<name>`. A file is written under a temporary name,
 * then linked to its final name, then recorded in the store. After an interruption, `gc` removes a file that is not
 * recorded.
 */
import { createHash, randomBytes } from 'node:crypto'
import { link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { open } from '../../util/guarded-files.ts'
import { inHome } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import type { Attachment } from '../../core/attachment.ts'
import { enterFolder, fileFault, findFolder, syncFolder } from '../managed-folder.ts'
// oxlint-disable-next-line muster/powers -- only the file helper runs the callers
import { examineFile, readPieces } from './readable-file.ts'
import { numbered, safeName } from './safe-name.ts'
import type { CardLocation } from '../workspace.ts'

export const ATTACHMENT_BYTES = 25 * 1024 * 1024

/** The prefix of unfinished files. No attachment has a name that begins with a dot. */
export const PART_PREFIX = '.part-'

/** The maximum number of files with the same name on a card. */
const SAME_NAMES = 10_000

export interface WrittenFile {
  readonly filename: string
  readonly storedPath: string
  readonly size: number
  readonly sha256: string
}

const stepsTo = ({ board, task }: CardLocation): [string, ...string[]] => ['boards', board, 'attachments', task]

/** Writes a stream into a file of the card. If the file becomes too large or stays incomplete, it is removed again. */
export async function storeFile(
  place: CardLocation,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<WrittenFile> {
  const wanted = safeName(name)
  const folder = await enterFolder(place.home, ...stepsTo(place))
  const part = join(folder, `${PART_PREFIX}${randomBytes(8).toString('hex')}`)
  try {
    const written = await writeContent(part, wanted, content)
    return { ...written, ...(await nameFile(place, folder, { from: part, name: wanted })) }
  } catch (error) {
    throw fileFault(error, folder)
  } finally {
    await rm(part, { force: true })
  }
}

/** Copies a file from anywhere on this machine to a card. */
export async function attachCopy(copy: {
  readonly place: CardLocation
  readonly name: string
  readonly path: string
  readonly store: string
}): Promise<WrittenFile> {
  await examineFile(copy.path, copy.store)
  return storeFile(copy.place, copy.name, readPieces(copy.path))
}

/** Adds a file to the card without copying it, by a link. The file also stays at its original path. */
export async function adoptFile(
  place: CardLocation,
  from: string,
  name: string,
): Promise<Pick<WrittenFile, 'filename' | 'storedPath'>> {
  const folder = await enterFolder(place.home, ...stepsTo(place))
  try {
    return await nameFile(place, folder, { from, name: safeName(name) })
  } catch (error) {
    throw fileFault(error, folder)
  }
}

/** Gives a file its name by a link. Linking fails if the name is taken, so two callers never get the same name. */
async function nameFile(
  { task }: CardLocation,
  folder: string,
  { from, name }: { from: string; name: string },
): Promise<Pick<WrittenFile, 'filename' | 'storedPath'>> {
  for (let number = 0; number < SAME_NAMES; number += 1) {
    const filename = numbered(name, number)
    try {
      await link(from, join(folder, filename))
      await syncFolder(folder)
      await syncFolder(join(folder, '..'))
      return { filename, storedPath: `${task}/${filename}` }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  throw new BoardError('invalid_input', `Card ${task} has too many files called ${name}: give it another name.`)
}

/**
 * Writes the content, and counts and hashes it at the same time. The writing stops as soon as the content is too large.
 */
export async function writeContent(
  path: string,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<Pick<WrittenFile, 'size' | 'sha256'>> {
  const hash = createHash('sha256')
  let size = 0
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of content) {
      size += chunk.byteLength
      if (size > ATTACHMENT_BYTES) throw tooLarge(name)
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { size, sha256: hash.digest('hex') }
}

export const tooLarge = (name: string): BoardError =>
  new BoardError(
    'invalid_input',
    `${name} is larger than 25 MiB, the limit for one attachment: compress it, or add a link to it instead.`,
    {
      details: { name, limit: ATTACHMENT_BYTES },
    },
  )

type RecordedPath = Pick<Attachment, 'board' | 'storedPath'>

/**
 * The parts of a stored path. Returns null if a part is `..`, hidden or empty. Muster stores no such path, but an
 * imported row may have one.
 */
function stepsOf(storedPath: string): string[] | null {
  const steps = storedPath.split('/')
  return steps.some((step) => step === '' || step.startsWith('.')) ? null : steps
}

/** The path of a recorded file. Null means that the path leads out of the board's attachments folder. */
export function attachmentPath(home: string, { board, storedPath }: RecordedPath): string | null {
  const steps = stepsOf(storedPath)
  return steps === null ? null : join(inHome.attachments(home, board), ...steps)
}

/**
 * Removes a recorded file. The target of a link, and a file outside the board's attachments folder, are never removed.
 */
export async function dropFile(home: string, { board, storedPath }: RecordedPath): Promise<void> {
  const steps = stepsOf(storedPath)
  const name = steps?.pop()
  if (steps === null || name === undefined) return
  const folder = await findFolder(home, 'boards', board, 'attachments', ...steps)
  if (folder !== null) await rm(join(folder, name), { force: true })
}
