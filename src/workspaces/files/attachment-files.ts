/**
 * The files of cards: `boards/<board>/attachments/<card>/<name>`. A file is written under a temporary
 * name, then linked to its own, then recorded. An interruption leaves a file without a row, which `gc` removes.
 */
import { createHash, randomBytes } from 'node:crypto'
import { link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { open } from '../../util/guarded-files.ts'
import { inHome } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import type { Attachment } from '../../core/attachment.ts'
import { enterFolder, fileFault, findFolder, syncFolder } from '../managed-folder.ts'
// oxlint-disable-next-line muster/powers -- only the file helper runs what uses it
import { examineFile, readPieces } from './readable-file.ts'
import { numbered, safeName } from './safe-name.ts'
import type { CardLocation } from '../workspace.ts'

export const ATTACHMENT_BYTES = 25 * 1024 * 1024

/** Begins with a dot, as no name of a file does. */
export const PART_PREFIX = '.part-'

/** The most files of one name on a card. */
const SAME_NAMES = 10_000

export interface KeptFile {
  readonly filename: string
  readonly storedPath: string
  readonly size: number
  readonly sha256: string
}

const stepsTo = ({ board, task }: CardLocation): [string, ...string[]] => ['boards', board, 'attachments', task]

/** Streams content into a file of the card. Over the cap, or cut off, nothing of it stays. */
export async function keepFile(
  place: CardLocation,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<KeptFile> {
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
}): Promise<KeptFile> {
  await examineFile(copy.path, copy.store)
  return keepFile(copy.place, copy.name, readPieces(copy.path))
}

/** Gives a file that is written already its name among those of the card; the original name stays too. */
export async function adoptFile(
  place: CardLocation,
  from: string,
  name: string,
): Promise<Pick<KeptFile, 'filename' | 'storedPath'>> {
  const folder = await enterFolder(place.home, ...stepsTo(place))
  try {
    return await nameFile(place, folder, { from, name: safeName(name) })
  } catch (error) {
    throw fileFault(error, folder)
  }
}

/** A link fails where the name is taken, so two callers at once never get the same one. */
async function nameFile(
  { task }: CardLocation,
  folder: string,
  { from, name }: { from: string; name: string },
): Promise<Pick<KeptFile, 'filename' | 'storedPath'>> {
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

/** Counts and hashes what passes; stops as soon as it is too much. */
export async function writeContent(
  path: string,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<Pick<KeptFile, 'size' | 'sha256'>> {
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
    `${name} is larger than 25 MiB, the most a card keeps: compress it or keep a link to it.`,
    {
      details: { name, limit: ATTACHMENT_BYTES },
    },
  )

type Recorded = Pick<Attachment, 'board' | 'storedPath'>

/** A row may come from elsewhere; one that climbs or hides names no file of ours. */
function stepsOf(storedPath: string): string[] | null {
  const steps = storedPath.split('/')
  return steps.some((step) => step === '' || step.startsWith('.')) ? null : steps
}

/** Where a recorded file lies; null when its row leads out of the folder of the board's files. */
export function attachmentPath(home: string, { board, storedPath }: Recorded): string | null {
  const steps = stepsOf(storedPath)
  return steps === null ? null : join(inHome.attachments(home, board), ...steps)
}

/** Removes a recorded file; never a link's target, never anything outside the folder of the board's files. */
export async function dropFile(home: string, { board, storedPath }: Recorded): Promise<void> {
  const steps = stepsOf(storedPath)
  const name = steps?.pop()
  if (steps === null || name === undefined) return
  const folder = await findFolder(home, 'boards', board, 'attachments', ...steps)
  if (folder !== null) await rm(join(folder, name), { force: true })
}
