/** Shared by the tests of dispatchers: agents that wait, a running dispatcher, and the status of both. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TaskId } from '../../src/core/ids.ts'
import type { TaskView } from '../../src/storage/store.ts'
import { appeared } from '../helpers/cli.ts'
import type { Running, TestHome } from '../helpers/cli.ts'

/** Reports that it runs, then waits for the file `go`. */
export const WAITS = 'touch begun; while [ ! -e go ]; do sleep 0.2; done; echo finished'
const QUICK = { MUSTER_SWEEP_MS: '200', MUSTER_DISPATCHER_LEASE_MS: '1500' }

export const shell = (home: TestHome, title: string, body: string, ...flags: string[]): Promise<TaskView> =>
  home.create(title, '--assignee', 'shell', '--body', body, ...flags)

export const up = (home: TestHome, env: NodeJS.ProcessEnv = {}, ...flags: string[]): Running =>
  home.start(['up', ...flags], { env: { ...QUICK, ...env } })

export const says = (home: TestHome, running: Running, words: string): Promise<true> =>
  home.until(`it says ${words}`, () => running.output().includes(words) || null)

export const has = (home: TestHome, id: TaskId, status: string): Promise<true> =>
  home.until(`${id} is ${status}`, async () => (await (await home.store()).task('default', id))?.status === status)

export const begun = (home: TestHome, id: TaskId): Promise<true> =>
  home.until(`${id} has begun`, () => appeared(home.workspace(id, 'begun')))

export const finish = (home: TestHome, id: TaskId): void => writeFileSync(home.workspace(id, 'go'), '')

export function addAgent(home: TestHome, name: string, front: string): void {
  mkdirSync(join(home.home, 'agents'), { recursive: true })
  writeFileSync(join(home.home, 'agents', `${name}.md`), `---\nharness: shell\n${front}\n---\n`)
}

export const outcomesOf = async (home: TestHome, id: TaskId): Promise<unknown[]> =>
  (await (await home.store()).runs('default', id)).map(({ outcome }) => outcome)
