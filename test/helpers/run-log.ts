/** Makes a run of a new card with a log, for tests of the HTTP API. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { runDirectory } from '../../src/runs/files/run-directory.ts'
import type { HttpTest } from './http.ts'
import { clockwork, identity, runOf } from './sample.ts'

/** Starts a run that has this output. `path` is the address of its card in the API. */
export async function openRunLog(http: HttpTest, output: string): Promise<{ path: string; log: string }> {
  const { ask, test: opened, parts } = http
  const created = await ask('POST /api/tasks', { body: { title: 'A card', assignee: 'coder' } })
  const { task } = created.json<{ task: { id: TaskId } }>()
  const own = identity()
  const command = { board: 'default', actor: clockwork } as const
  const lead = { machine: own.machine, tokenHash: 'lead', identity: own, leaseMs: 3_600_000 }
  unwrap(await opened.store.decide({ ...command, verb: 'lead_dispatch', input: lead }))
  const run = { task: task.id, runId: runOf('log'), tokenHash: 'run', agent: 'coder', machine: own.machine }
  const by = { dispatcher: own, dispatcherTokenHash: 'lead' }
  unwrap(await opened.store.decide({ ...command, verb: 'claim', input: { ...run, ...by } }))
  const { log } = runDirectory(parts.target.options.home, run.runId)
  mkdirSync(dirname(log), { recursive: true })
  writeFileSync(log, output)
  return { path: `/api/tasks/${task.id}`, log }
}
