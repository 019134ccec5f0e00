/** The data folder contains all files of one installation. */
import os from 'node:os'
import { isAbsolute, join } from 'node:path'
import { BoardError } from '../core/errors.ts'
import { makeFolders } from '../util/make-folders.ts'
import type { Environment } from './environment.ts'
import { systemReason, writeFault } from '../util/system-errors.ts'

export function homeOf(env: Environment): string {
  const given = env['MUSTER_HOME']
  if (given === undefined || given === '') return defaultHome()
  if (!isAbsolute(given)) throw new BoardError('invalid_input', `MUSTER_HOME is ${given}: give an absolute path.`)
  return given
}

export const defaultHome = (): string => join(os.homedir(), '.muster')

/** The paths in a data folder. */
export const inHome = {
  database: (home: string): string => join(home, 'muster.db'),
  config: (home: string): string => join(home, 'config.yaml'),
  /** The file that exists after the notice about scratch folders was shown. */
  scratchExplained: (home: string): string => join(home, 'scratch-explained'),
  current: (home: string): string => join(home, 'current'),
  /**
   * The file that is written and removed before each start, to test whether the disk has space
   * (dispatcher/require-space.ts).
   */
  spaceProbe: (home: string): string => join(home, 'space-probe'),
  /** The id of this machine. The file keeps the id the same when a container restarts. */
  machineId: (home: string): string => join(home, 'machine-id'),
  assistants: (home: string): string => join(home, 'assistants.json'),
  agents: (home: string): string => join(home, 'agents'),
  /** The approvals of agent files in repositories. Each approval names the content that a person approved. */
  approvedAgents: (home: string): string => join(home, 'approved-agents'),
  templates: (home: string): string => join(home, 'templates'),
  /** The approvals of template files in repositories. */
  approvedTemplates: (home: string): string => join(home, 'approved-templates'),
  skills: (home: string): string => join(home, 'skills'),
  lib: (home: string): string => join(home, 'lib'),
  /** The URL and the key of each HTTP server (config/server-file.ts). */
  servers: (home: string): string => join(home, 'servers'),
  /** The files that clients of the HTTP server are uploading. */
  uploads: (home: string): string => join(home, 'uploads'),
  runs: (home: string): string => join(home, 'runs'),
  /**
   * The changes that runs requested after their supervisor had exited. A dispatcher records them later
   * (runs/files/late-writes.ts).
   */
  late: (home: string): string => join(home, 'late'),
  /** A folder with one file for each repository in which a landing is in progress. */
  landings: (home: string): string => join(home, 'landings'),
  locks: (home: string): string => join(home, 'locks'),
  trash: (home: string): string => join(home, 'trash'),
  backups: (home: string): string => join(home, 'backups'),
  board: (home: string, board: string): string => join(home, 'boards', board),
  workspaces: (home: string, board: string): string => join(home, 'boards', board, 'workspaces'),
  attachments: (home: string, board: string): string => join(home, 'boards', board, 'attachments'),
  snapshots: (home: string, board: string): string => join(home, 'boards', board, 'snapshots'),
} as const

/** Creates a folder that only its owner can enter. Returns whether the folder is new. */
export async function makePrivateFolder(path: string): Promise<boolean> {
  try {
    return makeFolders(path)
  } catch (cause) {
    const why = systemReason(cause)
    throw writeFault(cause, path, `Folder ${path} cannot be created (${why}): choose another with MUSTER_HOME.`)
  }
}
