/** Writes the files and links that an agent needs in its run directory. */
import { symlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makePrivateFolder } from '../config/home.ts'
import type { Launch } from './harness.ts'
import { writeWhole } from '../runs/files/run-directory.ts'
import type { RunDirectory } from '../runs/files/run-directory.ts'

export async function writeRunFiles(
  { path: root }: Pick<RunDirectory, 'path'>,
  { files, links = [] }: Pick<Launch, 'files' | 'links'>,
): Promise<void> {
  const folders = new Set([...files, ...links].map(({ path }) => dirname(path)))
  folders.delete(root)
  for (const folder of folders) await makePrivateFolder(folder)
  for (const { path, content, mode } of files) await writeWhole(path, content, mode)
  for (const { path, target } of links) await symlink(target, path).catch(ignoreExisting)
}

/** Ignores the error that the link exists, because an earlier turn or the agent may have made the link. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
