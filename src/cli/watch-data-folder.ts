/** Notices that the data folder or its store was deleted or replaced. In that case, all later changes would be lost. */
import { statSync } from 'node:fs'
import { BoardError } from '../core/errors.ts'
import { parseLocation } from '../storage/location.ts'

export interface DataFolder {
  readonly home: string
  readonly store: string
}

export interface FolderWatch {
  /** Resolves with the error when the data folder is lost. */
  readonly lost: Promise<BoardError>
  stop(): void
}

const EVERY_MS = 1_000

export function watchDataFolder(folder: DataFolder): FolderWatch {
  const look = makeFolderLook(folder)
  let found = (_error: BoardError): void => {}
  const lost = new Promise<BoardError>((resolve) => (found = resolve))
  const timer = setInterval(() => {
    const error = look()
    if (error === null) return
    clearInterval(timer)
    found(error)
  }, EVERY_MS)
  timer.unref()
  return { lost, stop: () => clearInterval(timer) }
}

/** Makes a function that compares the folder and the store with their state at its first call. */
function makeFolderLook({ home, store }: DataFolder): () => BoardError | null {
  const location = parseLocation(store)
  const file = location.engine === 'sqlite' ? location.path : null
  const first = { home: fileIdentity(home), file: fileIdentity(file) }
  let wasMissing = false
  return () => {
    const now = { home: fileIdentity(home), file: fileIdentity(file) }
    if (first.home !== null && now.home !== first.home)
      return now.home === null ? deleted(`data folder ${home}`) : replaced(`data folder ${home}`)
    if (first.file === null || file === null || now.file === first.file) {
      wasMissing = false
      return null
    }
    if (now.file !== null) return replaced(`store ${file}`)
    // A restore removes the file of the store for a moment. So the file counts as deleted only if two checks in a row
    // do not find it.
    if (wasMissing) return deleted(`store ${file}`)
    wasMissing = true
    return null
  }
}

const deleted = (what: string): BoardError => new BoardError('store_io', `The ${what} was deleted, so Muster stops.`)

const replaced = (what: string): BoardError =>
  new BoardError('store_io', `The ${what} was replaced, so Muster stops; to use the new one, run: muster up`)

/**
 * The identity of a file or folder, which stays the same if only its path changes. Null means that the path does not
 * exist.
 */
export function fileIdentity(path: string | null): string | null {
  const stat = path === null ? undefined : statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`
}
