/** The files of one run, and how they are written: whole, or not at all. */
import { closeSync, openSync, utimesSync, watch } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inHome, makePrivateFolder } from '../config/home.ts'
import type { RunId } from '../core/ids.ts'

export interface RunDirectory {
  readonly path: string
  /** What the supervisor was started with, its token included. */
  readonly ticket: string
  /** Written by the wrapper: who it is, and how the agent ended. */
  readonly pid: string
  readonly exit: string
  readonly wrapper: string
  readonly body: string
  readonly parents: string
  /** What the agent printed. */
  readonly log: string
  /** What the supervisor itself had to say. */
  readonly supervisorLog: string
  readonly nudge: string
}

export const runDirectoryAt = (path: string): RunDirectory => ({
  path,
  ticket: join(path, 'ticket.json'),
  pid: join(path, 'pid'),
  exit: join(path, 'exit'),
  wrapper: join(path, 'wrapper.sh'),
  body: join(path, 'body.sh'),
  parents: join(path, 'parents.json'),
  log: join(path, 'log'),
  supervisorLog: join(path, 'supervisor.log'),
  nudge: join(path, 'nudge'),
})

const runDirectory = (home: string, run: RunId): RunDirectory => runDirectoryAt(join(inHome.runs(home), run))

export async function makeRunDirectory(home: string, run: RunId): Promise<RunDirectory> {
  const directory = runDirectory(home, run)
  await makePrivateFolder(directory.path)
  closeSync(openSync(directory.nudge, 'a', 0o600))
  return directory
}

/** By rename: a reader sees the old file or the new one, never half of one. */
export async function writeWhole(path: string, content: string, mode = 0o600): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`
  await writeFile(unfinished, content, { mode, flush: true })
  await rename(unfinished, path)
}

export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return null
  }
}

/** Tells the supervisor of a run on this machine to look at its row now. It looks by itself too, only later. */
export function nudgeRun(home: string, run: RunId): void {
  const now = Date.now() / 1000
  try {
    utimesSync(runDirectory(home, run).nudge, now, now)
  } catch {
    // The run is on another machine, or its files are gone.
  }
}

/** Without the file nobody can nudge, and the supervisor looks by itself. */
export function onNudge({ nudge }: Pick<RunDirectory, 'nudge'>, callback: () => void): { stop(): void } {
  try {
    const watcher = watch(nudge, { persistent: false }, callback)
    watcher.on('error', () => watcher.close())
    return { stop: () => watcher.close() }
  } catch {
    return { stop: () => {} }
  }
}
