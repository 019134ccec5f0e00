/** Shared by the scenarios: homes, scripts, a running dispatcher. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TaskId } from '../../src/core/ids.ts'
import { waitUntil } from '../../src/processes/wait-until.ts'
import { appeared, makeTestHome } from '../helpers/cli.ts'
import type { Running, TestHome } from '../helpers/cli.ts'
import type { Engine } from '../helpers/stores.ts'

/** Reports that it runs, then waits for the file `go`. */
export const WAITS = 'echo begun >>begun; while [ ! -e go ]; do sleep 0.2; done'

/** Makes a home with a store, so that a test can read the store directly. */
export async function openHome(engine: Engine): Promise<TestHome> {
  const home = makeTestHome(engine)
  const { code, stderr } = await home.say('init')
  if (code !== 0) throw new Error(stderr)
  return home
}

export const letGo = (home: TestHome, id: TaskId): void => writeFileSync(home.workspace(id, 'go'), '')

export const begun = (home: TestHome, id: TaskId): Promise<boolean> =>
  home.until(`${id} has begun`, () => appeared(home.workspace(id, 'begun')))

/** Starts a dispatcher with short intervals. */
export const startUp = (home: TestHome, env: NodeJS.ProcessEnv = {}): Running =>
  home.start(['up'], { env: { MUSTER_SWEEP_MS: '200', MUSTER_DISPATCHER_LEASE_MS: '1500', ...env } })

export const shellCard = (home: TestHome, body: string, ...flags: string[]) =>
  home.create('a card', '--assignee', 'shell', '--body', body, ...flags)

export const statusOf = async (home: TestHome, id: TaskId): Promise<string> =>
  (await (await home.store()).task('default', id, { deleted: true }))?.status ?? 'gone'

/** Waits longer than one process start takes, because some cards run many times. */
export async function untilStatus(home: TestHome, id: TaskId, status: string, forMs = 60_000): Promise<void> {
  const look = async (): Promise<true | null> => ((await statusOf(home, id)) === status ? true : null)
  if ((await waitUntil(await home.store(), look, { forMs, everyMs: 50 })) === null)
    throw new Error(`${id} is ${await statusOf(home, id)}, not ${status}: ${(await home.show(id)).lastError ?? ''}`)
}

export async function kindsOf(home: TestHome, id: TaskId): Promise<string[]> {
  return (await (await home.store()).taskEvents('default', id)).map(({ kind }) => kind)
}

export async function outcomesOf(home: TestHome, id: TaskId): Promise<(string | null)[]> {
  return (await (await home.store()).runs('default', id)).map(({ outcome }) => outcome)
}

export function writeAgent(home: TestHome, name: string, front: string): void {
  mkdirSync(join(home.home, 'agents'), { recursive: true })
  writeFileSync(join(home.home, 'agents', `${name}.md`), `---\n${front}\n---\n`)
}
