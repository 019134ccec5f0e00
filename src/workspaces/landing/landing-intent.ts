/**
 * The intent is a file in the git directory of a checkout. The file exists while a landing changes the checkout. So
 * after a crash, the recovery knows which update was in progress.
 */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readFile, writeFile } from '../../util/guarded-files.ts'
import type { GitPlace } from '../git/git-place.ts'

/** The commits of a checkout before and after a landing. */
export interface Update {
  readonly from: string
  readonly to: string
}

const pathOf = ({ gitDir }: GitPlace): string => join(gitDir, 'muster-landing')

export async function writeIntent(at: GitPlace, { from, to }: Update): Promise<void> {
  try {
    await writeFile(pathOf(at), `${from} ${to}\n`, { mode: 0o600, flush: true })
  } catch (error) {
    await removeIntent(at)
    throw error
  }
}

export const removeIntent = async (at: GitPlace): Promise<void> => rm(pathOf(at), { force: true })

export const hasIntent = (at: GitPlace): boolean => existsSync(pathOf(at))

/**
 * Reads the intent. Returns null if the file is missing or incomplete, because a landing changes the checkout only
 * after the file is complete.
 */
export async function readIntent(at: GitPlace): Promise<Update | null> {
  if (!hasIntent(at)) return null
  const [, from, to] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64})\n$/.exec(await readFile(pathOf(at), 'utf8')) ?? []
  return from === undefined || to === undefined ? null : { from, to }
}
