/** The folder of backups, and their names. */
import { existsSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { inHome, makePrivateFolder } from '../../config/home.ts'
import { nullIfMissing } from '../../util/replace-file.ts'

export interface BackupFile {
  readonly name: string
  readonly path: string
  readonly bytes: number
  readonly createdAt: number
}

/** A new path in the backups folder. Its name is the current time, so that names sort by age. */
export async function newBackupPath(home: string, tail = ''): Promise<string> {
  const folder = inHome.backups(home)
  await makePrivateFolder(folder)
  return join(folder, `${new Date().toISOString().replace(/[:.]/g, '-')}${tail}.db`)
}

export async function backupFile(path: string): Promise<BackupFile> {
  const { size, mtimeMs } = await lstat(path)
  return { name: basename(path), path, bytes: size, createdAt: Math.round(mtimeMs) }
}

/** Lists the backups in the backups folder, newest first. */
export async function backupsIn(home: string): Promise<BackupFile[]> {
  const folder = inHome.backups(home)
  const entries = (await nullIfMissing(readdir(folder, { withFileTypes: true }))) ?? []
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.db')).map(({ name }) => name)
  return Promise.all(
    names
      .sort()
      .reverse()
      .map((name) => backupFile(join(folder, name))),
  )
}

/** The path of a backup. The user gives its name in the backups folder, or a path. */
export function findBackup(home: string, typed: string): string {
  const named = [typed, `${typed}.db`].map((name) => join(inHome.backups(home), name))
  const existing = typed.includes('/') ? undefined : named.find((path) => existsSync(path))
  return existing ?? resolve(typed)
}
