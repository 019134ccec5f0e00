/**
 * Templates of new SQLite stores. Creating a store takes ten times as long as copying one, because the creation runs
 * every migration and collects the garbage of the whole test runner. Tests of the creation itself do not use templates.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openStore } from '../../src/storage/open.ts'
import { bellOf, createBell } from '../../src/storage/sqlite/bell.ts'
import { findClis } from '../../src/harnesses/detect/find-clis.ts'
import { runLine } from './run-line.ts'

/** Writes the file of a new store without a board. */
export async function placeStore(path: string): Promise<void> {
  storeBytes ??= bytesOf(async (folder) => {
    await (await openStore({ engine: 'sqlite', path: join(folder, 'muster.db') }, { mode: 'create' })).close()
  })
  place(path, await storeBytes)
}

/**
 * Makes a data folder as `init` does. Returns false and makes no folder if `init` would add agents for installed CLIs.
 */
export async function placeHome(home: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  if (findClis(env).some(({ program }) => program !== null)) return false
  homeBytes ??= bytesOf(async (folder) => {
    const { code, stderr } = await runLine(['init'], { ...env, MUSTER_HOME: folder })
    if (code !== 0) throw new Error(stderr)
  })
  const bytes = await homeBytes
  mkdirSync(join(home, 'agents'), { recursive: true, mode: 0o700 })
  place(join(home, 'muster.db'), bytes)
  return true
}

let storeBytes: Promise<Buffer> | null = null
let homeBytes: Promise<Buffer> | null = null

async function bytesOf(make: (folder: string) => Promise<void>): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-template-'))
  try {
    await make(folder)
    return readFileSync(join(folder, 'muster.db'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function place(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, bytes, { mode: 0o600 })
  createBell(bellOf(path))
}
