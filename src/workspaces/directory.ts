/** A user's own directory, in which a card works. Muster neither creates it nor removes anything in it. */
import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import type { Workspace } from '../core/task.ts'
import { WorkspaceFault } from './workspace-fault.ts'

/** The real path of a `dir` card's directory; null for other cards, or if it does not exist. */
export const realDirectory = async ({ kind, path }: Pick<Workspace, 'kind' | 'path'>): Promise<string | null> =>
  kind !== 'dir' || path === null ? null : realFolder(path)

/** The real path of a folder; null if it does not exist. */
export const realFolder = (path: string): Promise<string | null> => realpath(path).catch(() => null)

/** Whether a folder that was recorded by its real path is now a link. */
export async function wasReplaced(folder: string): Promise<boolean> {
  const real = await realFolder(folder)
  return real !== null && real !== folder
}

/** Checks that an agent can work in the directory. */
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
