/**
 * The other way to say how a run went: a file in the root of the workspace, read when the agent has ended its turn
 * without a word. What it says is recorded like what is said through the board's tools. A file that lay there before
 * the turn began says nothing of it, and one that cannot be read as a verdict is none.
 */
import { lstat, readFile, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { noteInLog } from '../log-note.ts'
import type { AnswerPort } from './channel.ts'
import type { Owned } from './owned.ts'
import { patiently } from './patiently.ts'

const RESULT_FILE = 'RESULT.json'

const MAX_BYTES = 1024 * 1024
const HEAR_MS = 15_000

/** What each verdict is called among the operations, and what may be said with it. */
const WORDS = {
  complete: { op: 'complete', fields: ['summary', 'result', 'metadata', 'artifacts', 'createdCards'] },
  block: { op: 'block', fields: ['reason', 'kind'] },
  request_review: { op: 'request-review', fields: ['summary', 'metadata', 'reviewer'] },
  request_changes: { op: 'request-changes', fields: ['reason'] },
} as const

/** Its agent has ended already. */
const OVER = { said: () => {} }
/** The checks follow when it is known what was said: nobody waits for them here. */
const LATER = { judge: async () => ({ kind: 'unneeded' }) as const, stop: async () => {} }

export class ResultFile {
  /** Why the file of the last turn was no verdict, in a sentence; null when there was none, or it was one. */
  fault: string | null = null
  readonly #owned: Owned
  readonly #answer: AnswerPort
  #workspace = ''
  #before: string | null = null

  constructor(owned: Owned, answer: AnswerPort) {
    this.#owned = owned
    this.#answer = answer
  }

  /** A turn begins: what lies there now is not its word. It stays where it is, for it may be somebody's. */
  async begin(workspace: string): Promise<void> {
    this.#workspace = workspace
    this.#before = await markOf(this.#path)
    this.fault = null
  }

  get #path(): string {
    return join(this.#workspace, RESULT_FILE)
  }

  /** The turn has ended. Does nothing when the agent has spoken for itself. */
  async hear(): Promise<void> {
    const { store, fence, directory, task } = this.#owned
    const mark = await markOf(this.#path)
    if (mark === null || mark === this.#before) return
    if ((await patiently(() => store.run(fence.runId)))?.verdict !== null) return
    try {
      const { op, input } = await this.#read()
      await patiently(() => this.#answer({ owned: this.#owned, examiner: LATER, word: OVER }, op, input), {
        forMs: HEAR_MS,
      })
      // Said and written down, it is no part of the work. What is not in a folder of ours is left alone.
      if (task.workspace.kind !== 'dir') await rename(this.#path, directory.result).catch(() => {})
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error)
      await noteInLog(directory.log, `${RESULT_FILE} is no verdict: ${this.fault}`)
    }
  }

  async #read(): Promise<{ op: string; input: Record<string, unknown> }> {
    const { size } = await lstat(this.#path)
    if (size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`)
    const said = parse(await readFile(this.#path, 'utf8'))
    const word = said['verdict']
    if (typeof word !== 'string' || !Object.hasOwn(WORDS, word))
      throw new Error(`its verdict must be one of ${Object.keys(WORDS).join(', ')}`)
    const { op, fields } = WORDS[word as keyof typeof WORDS]
    const given = fields.filter((field) => said[field] !== undefined).map((field) => [field, said[field]] as const)
    const input: Record<string, unknown> = { task: this.#owned.ticket.task, ...Object.fromEntries(given) }
    return { op, input: { ...input, ...this.#artifactsOf(said['artifacts'], op) } }
  }

  /** Named from the workspace, where a path is not absolute. */
  #artifactsOf(named: unknown, op: string): { artifacts?: unknown } {
    if (op !== 'complete' || !Array.isArray(named)) return {}
    return {
      artifacts: named.map((path: unknown) => (typeof path === 'string' ? resolve(this.#workspace, path) : path)),
    }
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('it is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is no JSON object')
  return value as Record<string, unknown>
}

/** Changes whenever the file is written; null when there is none. */
async function markOf(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null)
  return found?.isFile() === true ? `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}` : null
}
