/** Attaches the files that a completion names. They become attachments in the same transaction as the completion. */
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Attachment, StoredFile } from '../../core/attachment.ts'
import { BoardError } from '../../core/errors.ts'
import type { Json } from '../../core/input/fields.ts'
import type { RunId } from '../../core/ids.ts'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import type { Store, TaskView } from '../../storage/store.ts'
import { newAttachmentId } from '../../util/mint.ts'
import { adoptFile } from '../../workspaces/files/attachment-files.ts'
import { workspacePath } from '../../workspaces/workspace.ts'
import { isNumbered } from '../../workspaces/files/safe-name.ts'
import type { Staged } from '../../workspaces/files/stage-artifacts.ts'
import type { CardLocation } from '../../workspaces/workspace.ts'
import { dropUnrecorded } from '../attachments/drop-unrecorded.ts'
import type { BoardContext } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

interface Completion {
  readonly task: string
  readonly runId: RunId
  readonly artifacts: readonly string[]
  readonly metadata: Json | null
}

interface WithFiles {
  readonly files: StoredFile[]
  readonly metadata: Json | null
}

/**
 * Copies the files to the card, calls `complete`, and deletes the copies if the completion is refused. If the
 * completion waits for the end of a run, the copies stay until they are recorded at that time.
 */
export async function completeWithArtifacts(
  { store, options }: BoardContext,
  { task: typed, runId, artifacts, metadata }: Completion,
  complete: (given: WithFiles) => Promise<TaskView>,
): Promise<TaskView> {
  const named = artifacts.length === 0 && metadata?.['artifacts'] === undefined ? [] : knownArtifacts(metadata)
  if (artifacts.length === 0 && named.length === 0) return complete({ files: [], metadata })
  const { board, id: task } = await resolveTask(store, typed)
  const { home } = options
  const { known, paths } = await sortNames(store, { home, board, task }, named)
  if (artifacts.length === 0 && paths.length === 0) return complete({ files: [], metadata })
  const stage = await callFileHelper('stageArtifacts', {
    place: { home, store: options.store, board, key: runId },
    paths: [...artifacts, ...paths],
  })
  const files: StoredFile[] = []
  try {
    const before = (await store.attachments(board, task)).filter((row) => row.runId === runId)
    const kept = (staged: Staged) => before.find((row) => isCopy(row, staged))
    for (const staged of stage.files.filter((one) => kept(one) === undefined))
      files.push(await place({ home, board, task }, staged))
    const names = [
      ...known,
      ...stage.files.flatMap((one) => kept(one)?.filename ?? []),
      ...files.map(({ filename }) => filename),
    ]
    return await complete({ files, metadata: { ...metadata, artifacts: [...new Set(names)] } })
  } catch (error) {
    const waits = error instanceof BoardError && error.code === 'pending'
    if (!waits) await dropUnrecorded(store, home, { board, task, files })
    throw error
  } finally {
    await rm(stage.folder, { recursive: true, force: true })
  }
}

/**
 * Whether the card already has a copy of this file. After failed checks, a worker completes again with the same files.
 */
const isCopy = ({ filename, sha256 }: Attachment, staged: Staged): boolean =>
  sha256 === staged.sha256 && isNumbered(filename, staged.name)

async function place(where: CardLocation, { name, path, size, sha256 }: Staged): Promise<StoredFile> {
  return { ...(await adoptFile(where, path, name)), id: newAttachmentId(), contentType: null, size, sha256 }
}

/**
 * Finds the paths among the names. URLs and names of files on the card are not paths. Any other name is a path, either
 * absolute or relative to the workspace.
 */
async function sortNames(
  store: Store,
  place: CardLocation,
  named: readonly string[],
): Promise<{ known: readonly string[]; paths: readonly string[] }> {
  if (named.length === 0) return { known: [], paths: [] }
  const onCard = new Set((await store.attachments(place.board, place.task)).map(({ filename }) => filename))
  const isKnown = (name: string): boolean => onCard.has(name) || /^[a-z][a-z0-9+.-]*:\/\//i.test(name)
  const task = await store.task(place.board, place.task)
  const folder = task === null ? null : (workspacePath(task.workspace, place) ?? task.workspace.path)
  const paths = named.filter((name) => !isKnown(name)).map((name) => (folder === null ? name : resolve(folder, name)))
  return { known: named.filter(isKnown), paths }
}

/** The names in the metadata. A single name counts as a list with one name. */
function knownArtifacts(metadata: Json | null): readonly string[] {
  const named = metadata?.['artifacts'] ?? []
  const list: readonly unknown[] = Array.isArray(named) ? named : [named]
  if (list.every((name): name is string => typeof name === 'string')) return list
  throw new BoardError('invalid_input', 'metadata.artifacts must be a list of file names.')
}
