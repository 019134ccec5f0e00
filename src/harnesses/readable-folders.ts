/**
 * The folders outside its workspace that an agent may read but not change: the workspaces and artifacts of its parents, the
 * attachments of its card, copies of earlier workspaces, and the files of its run.
 */
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { isOutside } from '../util/paths.ts'
import type { Job } from './harness.ts'
import type { ParentNote } from '../runs/parents.ts'

/**
 * Paths become arguments and variables of the CLI, so their total size is limited. A card with many parents gets only
 * the first folders.
 */
const MOST_BYTES = 24 * 1024

export interface FolderSources {
  readonly home: string
  /** The folder of the run that its agent may read; null while it is empty. */
  readonly forAgent: string | null
  /** The folder of the card's own attachments. Included even if it is empty: files may be attached while the agent works. */
  readonly attachments: string
  /** Folders with copies of earlier workspaces that the briefing names. */
  readonly snapshotFolders: readonly string[]
  readonly parents: readonly Pick<ParentNote, 'workspace' | 'artifacts'>[]
}

/** The most important folders come first, because the size limit drops the last ones. */
export function foldersHandedOver({
  home,
  forAgent,
  attachments,
  snapshotFolders,
  parents,
}: FolderSources): readonly string[] {
  const ofParents = parents.flatMap(({ workspace, artifacts }) => [
    ...(workspace === null ? [] : [workspace]),
    ...artifacts.map((path) => dirname(path)),
  ])
  const folders = new Set([...(forAgent === null ? [] : [forAgent]), attachments, ...ofParents, ...snapshotFolders])
  // A workspace that contains the data folder would expose the tokens of every run.
  return withinBytes([...folders].filter((folder) => isOutside(folder, home)))
}

function withinBytes(folders: readonly string[]): readonly string[] {
  let bytesLeft = MOST_BYTES
  return folders.filter((folder) => {
    bytesLeft -= Buffer.byteLength(folder)
    return bytesLeft >= 0
  })
}

/**
 * Each folder with its given and its real path, because some CLIs compare the given path and others the real one.
 * Folders inside the workspace need no rule.
 */
export function readableFolders({ readable = [], skills = [], workspace }: Job): readonly string[] {
  const places = spellings(workspace)
  const needsPermission = (folder: string): boolean => places.every((place) => isOutside(place, folder))
  const ofSkills = skills
    .filter(({ at, folder }) => at === 'home' || needsPermission(folder))
    .map(({ folder }) => folder)
  return [...new Set([...ofSkills, ...readable.flatMap(spellings).filter(needsPermission)])]
}

/** A path, and its real path if that differs. */
export function spellings(path: string): readonly string[] {
  try {
    return [...new Set([path, realpathSync(path)])]
  } catch {
    return [path]
  }
}
