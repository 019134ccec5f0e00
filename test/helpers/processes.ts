/**
 * Starts real processes on one store. They run a bundle of our sources, which starts ten times as fast as the sources.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { OutputFile } from 'esbuild'
import type { StoreLocation } from '../../src/storage/location.ts'
import type { JobAnswer, JobInput, JobName, WorkerSetup } from '../fixtures/store-worker-jobs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/**
 * The folder is inside node_modules, so that a bundled program finds the SQLite driver, which is the only package
 * outside the bundle.
 */
const cache = join(root, 'node_modules/.cache/muster-programs')
const dayMs = 24 * 3600 * 1000

/** Bundles a program and returns the path of the bundle. The name of the bundle contains a hash of its content. */
export async function bundleProgram(source: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@photostructure/sqlite'],
    loader: { '.sql': 'text' },
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    write: false,
    logLevel: 'warning',
  })
  const [{ contents, hash }] = outputFiles as [OutputFile]
  const path = join(cache, `${basename(source, '.ts')}-${hash.replaceAll(/\W/g, '')}.mjs`)
  mkdirSync(cache, { recursive: true })
  removeOld()
  if (!existsSync(path)) writeWhole(path, contents)
  return path
}

/** Writes a file by rename, so another test run never starts an incomplete program. */
function writeWhole(path: string, contents: Uint8Array): void {
  const unfinished = `${path}.${process.pid}.tmp`
  writeFileSync(unfinished, contents)
  renameSync(unfinished, path)
}

function removeOld(): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity)
    if (age > dayMs) rmSync(path, { force: true })
  }
}

/**
 * Returns the environment of children. NODE_EXTRA_CA_CERTS is left out, because it adds 45-70 ms to every start, and
 * the tests do not use TLS.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env
  return environment
}

let program: Promise<string> | null = null

interface Line {
  readonly ready?: true
  readonly id?: number
  readonly note?: unknown
  readonly value?: unknown
  readonly error?: string
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
  note(note: unknown): void
}

/** A process that runs jobs on a store (test/fixtures/store-worker.ts). */
export class StoreWorker {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  readonly #ready: Promise<void>
  readonly #exited: Promise<unknown>
  #lastId = 0
  #stderr = ''

  constructor(path: string, setup: WorkerSetup) {
    const stdio = ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe']
    const child = spawn(process.execPath, [path, JSON.stringify(setup)], { stdio, env: childEnvironment() })
    this.#child = child
    this.#exited = once(child, 'exit')
    child.stderr.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()))
    child.stdin.on('error', () => undefined)
    this.#ready = new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (text) => {
        const line = JSON.parse(text) as Line
        if (line.ready) resolve()
        else this.#receive(line)
      })
      child.on('close', () => {
        const end = new Error(`a worker ended (${child.signalCode ?? child.exitCode}): ${this.#stderr}`)
        reject(end)
        for (const waiting of this.#waiting.values()) waiting.reject(end)
      })
    })
    // The rejection is handled here, because a test may kill a worker before it waits for the worker to be ready.
    this.#ready.catch(() => undefined)
  }

  #receive({ id = 0, note, value, error }: Line): void {
    const waiting = this.#waiting.get(id)
    if (note !== undefined) return waiting?.note(note)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve(value)
    else waiting?.reject(new Error(error))
    return undefined
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  ready(): Promise<void> {
    return this.#ready
  }

  /** Sends a job to the worker and waits for its result. `note` receives the messages that come before the result. */
  run<N extends JobName>(
    job: N,
    input: JobInput<N>,
    note: (note: unknown) => void = () => undefined,
  ): Promise<JobAnswer<N>> {
    const id = ++this.#lastId
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject, note }))
    this.#child.stdin?.write(`${JSON.stringify({ id, job, input })}\n`)
    return answer as Promise<JobAnswer<N>>
  }

  /** Asks the running jobs to finish. */
  stop(): void {
    this.#child.stdin?.write('stop\n')
  }

  /** Lets the process finish its jobs, close its store and exit. */
  async end(): Promise<void> {
    this.#child.stdin?.end()
    await this.#exited
  }

  /** Kills the process at once with SIGKILL. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }
}

/** Starts workers and waits until all are ready. The caller ends them. */
export async function startWorkers(
  location: StoreLocation,
  count: number,
  { opens = true }: { opens?: boolean } = {},
): Promise<StoreWorker[]> {
  program ??= bundleProgram('test/fixtures/store-worker.ts')
  const path = await program
  const workers = Array.from({ length: count }, () => new StoreWorker(path, { location, opens }))
  try {
    await Promise.all(workers.map((worker) => worker.ready()))
  } catch (error) {
    await Promise.all(workers.map((worker) => worker.kill()))
    throw error
  }
  return workers
}

/** Runs `work` with workers and ends them afterwards, also after an error. */
export async function withWorkers<T>(
  location: StoreLocation,
  count: number,
  work: (workers: readonly StoreWorker[]) => Promise<T>,
): Promise<T> {
  const workers = await startWorkers(location, count)
  try {
    const result = await work(workers)
    await Promise.all(workers.map((worker) => worker.end()))
    return result
  } catch (error) {
    await Promise.all(workers.map((worker) => worker.kill()))
    throw error
  }
}
