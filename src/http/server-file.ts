/** Writes and removes the file that describes this server. */
import { rm } from 'node:fs/promises'
import { inHome, makePrivateFolder } from '../config/home.ts'
import { readServerFiles, serverFilePath } from '../config/server-file.ts'
import type { ServerFile } from '../config/server-file.ts'
import { replaceFile } from '../util/replace-file.ts'

export async function writeServerFile(home: string, content: ServerFile): Promise<void> {
  await makePrivateFolder(inHome.servers(home))
  for (const { pid, isAlive } of readServerFiles(home)) if (!isAlive) await removeServerFile(home, pid)
  await replaceFile(serverFilePath(home, content.pid), `${JSON.stringify(content)}\n`)
}

export const removeServerFile = (home: string, pid: number): Promise<void> =>
  rm(serverFilePath(home, pid), { force: true })
