/** Keeps the files of a folder in memory, so that tests get copies of a folder that takes long to make. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

interface Entry {
  readonly path: string
  /** The content of a file, or the target of a link. This is null for a folder. */
  readonly content: Buffer | string | null
  readonly mode: number
}

export type FileTree = readonly Entry[]

/** Reads all files below a folder. Each folder comes before its files. */
export function readTree(folder: string, within = ''): FileTree {
  return readdirSync(join(folder, within)).flatMap((name) => {
    const path = join(within, name)
    const entry = readEntry(folder, path)
    return entry.content === null ? [entry, ...readTree(folder, path)] : [entry]
  })
}

function readEntry(folder: string, path: string): Entry {
  const full = join(folder, path)
  const found = lstatSync(full)
  const mode = found.mode & 0o777
  if (found.isDirectory()) return { path, mode, content: null }
  return { path, mode, content: found.isSymbolicLink() ? readlinkSync(full) : readFileSync(full) }
}

/** Writes the files into the folder, which is created if it does not exist. */
export function writeTree(folder: string, tree: FileTree): void {
  mkdirSync(folder, { recursive: true })
  for (const { path, content, mode } of tree) {
    const full = join(folder, path)
    if (content === null) mkdirSync(full, { mode })
    else if (typeof content === 'string') symlinkSync(content, full)
    else writeFileSync(full, content, { mode })
  }
}

export interface Stage {
  readonly path: string
  /** Restores the files that `fill` made. The first call makes them. */
  restore(): Promise<void>
}

/**
 * Makes a folder for the tests of one file. Its path stays the same, because git and the store record absolute paths,
 * so a copy would not work at another path. Without a path, the folder is a new one, which is deleted after the tests.
 */
export function makeStage(fill: (path: string) => Promise<void>, path = makeFolder()): Stage {
  let tree: FileTree | null = null
  const restore = async (): Promise<void> => {
    for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true, maxRetries: 10 })
    if (tree !== null) return writeTree(path, tree)
    await fill(path)
    tree = readTree(path)
    return undefined
  }
  return { path, restore }
}

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-stage-')))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
