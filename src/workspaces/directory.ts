/** A directory of the user's own, in which a card works. The board neither makes it nor ever removes anything there. */
import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import type { Workspace } from '../core/task.ts'
import { WorkspaceFault } from './workspace-fault.ts'

/** Where the directory of a `dir` card really is; null for other cards, and where there is none. */
export const directoryOf = async ({ kind, path }: Pick<Workspace, 'kind' | 'path'>): Promise<string | null> =>
  kind !== 'dir' || path === null ? null : realFolder(path)

/** Where a folder really is; null where there is none. */
export const realFolder = (path: string): Promise<string | null> => realpath(path).catch(() => null)

/** Whether a folder that was written down as where it really is has become another: a link was put in its place. */
export async function wasReplaced(folder: string): Promise<boolean> {
  const real = await realFolder(folder)
  return real !== null && real !== folder
}

/** Makes sure that somebody can work there. */
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
