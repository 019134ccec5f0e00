/** A user's own directory in which a card works. Muster neither creates such a directory nor removes anything in it. */
import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import type { Workspace } from '../core/task.ts'
import { WorkspaceFault } from './workspace-fault.ts'

/** The real path of a `dir` card's directory. This is null for other cards, or if the directory does not exist. */
export const realDirectory = async ({ kind, path }: Pick<Workspace, 'kind' | 'path'>): Promise<string | null> =>
  kind !== 'dir' || path === null ? null : realFolder(path)

/** The real path of a folder. Null means that the folder does not exist. */
export const realFolder = (path: string): Promise<string | null> => realpath(path).catch(() => null)

/** Whether a link has replaced a folder since its real path was recorded. */
export async function wasReplaced(folder: string): Promise<boolean> {
  const real = await realFolder(folder)
  return real !== null && real !== folder
}

/** Returns the real path of the directory. Throws an error if an agent cannot work in the directory. */
export async function enterDirectory(path: string | null): Promise<string> {
  if (path === null) throw new WorkspaceFault('The card names no directory. Give it one: --workspace dir:/path.')
  const found = await stat(path).catch(() => null)
  if (found === null)
    throw new WorkspaceFault(`Directory ${path} does not exist. Create it, or give the card another workspace.`)
  if (!found.isDirectory()) throw new WorkspaceFault(`${path} is not a directory.`)
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
    throw new WorkspaceFault(`Directory ${path} cannot be written: check its permissions.`)
  })
  return path
}
