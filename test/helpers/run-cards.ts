/** Helpers that run cards with real processes: agents that wait, `muster up`, and functions that wait for progress. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TaskId } from '../../src/core/ids.ts'
import { thisHost } from '../../src/processes/identity.ts'
import { waitUntil } from '../../src/processes/wait-until.ts'
import type { TaskView } from '../../src/storage/store.ts'
import { appeared, makeTestHome } from './cli.ts'
import type { Running, TestHome } from './cli.ts'
import { placeHome } from './store-template.ts'
import type { Engine } from './stores.ts'

/** A script that creates the file `begun`, then waits for the file `go`. */
export const WAITS = 'echo begun; echo begun >>begun; while [ ! -e go ]; do sleep 0.2; done'

/** Makes a home with a store, so that a test can read the store directly. */
export async function openHome(engine: Engine): Promise<TestHome> {
  const home = makeTestHome(engine)
  if (engine === 'sqlite' && (await placeHome(home.home, home.env))) return home
  const { code, stderr } = await home.runInline('init')
  if (code !== 0) throw new Error(stderr)
  return home
}

export const createShellCard = (home: TestHome, title: string, body: string, ...flags: string[]): Promise<TaskView> =>
  home.create(title, '--assignee', 'shell', '--body', body, ...flags)

export const shellCard = (home: TestHome, body: string, ...flags: string[]): Promise<TaskView> =>
  createShellCard(home, 'a card', body, ...flags)

export function writeAgent(home: TestHome, name: string, front: string, text = ''): void {
  mkdirSync(join(home.home, 'agents'), { recursive: true })
  writeFileSync(join(home.home, 'agents', `${name}.md`), `---\n${front}\n---\n${text}`)
}

/** Starts a dispatcher with short intervals. */
export const startUp = (home: TestHome, env: NodeJS.ProcessEnv = {}, ...flags: string[]): Running =>
  home.start(['up', ...flags], { env: { MUSTER_SWEEP_MS: '200', MUSTER_DISPATCHER_LEASE_MS: '1500', ...env } })

export const untilPrinted = (home: TestHome, running: Running, text: string): Promise<boolean> =>
  home.until(`it prints ${text}`, () => running.output().includes(text))

/** Waits until the agent of a card has created the file `begun`. */
export const untilBegun = (home: TestHome, id: TaskId): Promise<boolean> =>
  home.until(`${id} has begun`, () => appeared(home.workspace(id, 'begun')))

/** Creates the file `go`, so that a waiting agent continues. */
export const finish = (home: TestHome, id: TaskId): void => writeFileSync(home.workspace(id, 'go'), '')

export const statusOf = async (home: TestHome, id: TaskId): Promise<string> =>
  (await (await home.store()).task('default', id, { deleted: true }))?.status ?? 'gone'

/** Waits until a card has a status. On a timeout, the error shows the card's last error. */
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

/** Whether a process has ended. A zombie counts as ended. */
export const isGone = (pid: number): boolean => thisHost().processes.read(pid)?.zombie ?? true

/** Returns the number in a file, or 0 before the file exists. */
export const numberIn = (path: string): number => (appeared(path) ? Number(readFileSync(path, 'utf8')) : 0)
