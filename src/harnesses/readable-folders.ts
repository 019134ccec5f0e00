/**
 * The folders outside its workspace that an agent may read but not change. These are the workspaces and artifacts of
 * its parents, the attachments of its card, copies of earlier workspaces, and the files of its run.
 */
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { isOutside } from '../util/paths.ts'
import type { Job } from './harness.ts'
import type { ParentNote } from '../runs/parents.ts'

/**
 * The maximum total length of the paths, because they become arguments and variables of the CLI. A card with many
 * parents gets only the first folders.
 */
const MOST_BYTES = 24 * 1024

export interface FolderSources {
  readonly home: string
  /** The folder of the run that the agent may read. This is null while this folder is empty. */
  readonly forAgent: string | null
  /**
   * The folder of the card's own attachments. The agent may read it even if it is empty, because files may be attached
   * while the agent works.
   */
  readonly attachments: string
  /** The folders with copies of earlier workspaces that the briefing names. */
  readonly snapshotFolders: readonly string[]
  readonly parents: readonly Pick<ParentNote, 'workspace' | 'artifacts'>[]
}

/** The folders that the agent may read, most important first. The size limit drops the last folders. */
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
  // A workspace that contains the data folder is left out, because the agent could read the tokens of every run there.
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
 * The readable folders, each with its given path and its real path. Some CLIs compare the given path, others the real
 * path. Folders inside the workspace need no rule.
 */
export function readableFolders({ readable = [], skills = [], workspace }: Job): readonly string[] {
  const places = spellings(workspace)
  const needsPermission = (folder: string): boolean => places.every((place) => isOutside(place, folder))
  const ofSkills = skills
    .filter(({ at, folder }) => at === 'home' || needsPermission(folder))
    .map(({ folder }) => folder)
  return [...new Set([...ofSkills, ...readable.flatMap(spellings).filter(needsPermission)])]
}

/** Returns the path, and its real path if the two differ. */
export function spellings(path: string): readonly string[] {
  try {
    return [...new Set([path, realpathSync(path)])]
  } catch {
    return [path]
  }
}
