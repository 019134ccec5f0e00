/** Starts a `muster up` with its own data folder for a bench. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unwrap } from '../../src/core/command.ts'
import type { VerbInput, VerbResult, VerbName } from '../../src/core/transitions/index.ts'
import { openStore } from '../../src/storage/open.ts'
import type { Store } from '../../src/storage/store.ts'
import { childEnvironment } from '../../test/helpers/processes.ts'

const BIN = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))

export interface Up {
  readonly pid: number
  readonly home: string
  readonly store: Store
  readonly decide: <N extends VerbName>(verb: N, input: VerbInput<N>) => Promise<VerbResult<N>>
  stop(): Promise<void>
}

/** `more` is added to the environment of this process. */
export async function startUp(more: Readonly<Record<string, string>> = {}): Promise<Up> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  const home = join(folder, 'home')
  const env = { ...childEnvironment(), ...more, MUSTER_HOME: home, MUSTER_USER: 'ada' }
  const child = spawn(process.execPath, [BIN, 'up'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  let stderr = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
      if (/Running cards/.test(stderr)) resolve()
    })
    void ended.then(() => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      reject(new Error(`muster up ended: ${stderr}`))
    })
  })
  const store = await openStore({ engine: 'sqlite', path: join(home, 'muster.db') }, { mode: 'write' })
  const address = { board: 'default', actor: { kind: 'person', name: 'ada' } } as const
  return {
    pid: child.pid ?? 0,
    home,
    store,
    decide: async (verb, input) => unwrap(await store.decide({ ...address, verb, input })),
    async stop() {
      await store.close()
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
