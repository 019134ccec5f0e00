/**
 * The result file of a workspace, and what it says. What lay there before a turn began is no word of it: which file that
 * was is kept beside the run, for whoever reads the other when the supervisor is gone.
 */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Fence } from '../../core/run.ts'
import { readWhole } from '../../util/read-whole.ts'
import type { RunDirectory } from './run-directory.ts'
import { writeWhole } from './run-directory.ts'
import { readIfExists } from '../../util/replace-file.ts'
import { openSeal, sealed } from './sealed-line.ts'

export const RESULT_FILE = 'RESULT.json'

const MAX_BYTES = 1024 * 1024

/** What may be said with each verdict. */
const FIELDS = {
  complete: ['summary', 'result', 'metadata', 'artifacts', 'createdCards'],
  block: ['reason', 'kind'],
  request_review: ['summary', 'metadata', 'reviewer'],
  request_changes: ['reason'],
} as const

export interface ResultVerdict {
  readonly verdict: keyof typeof FIELDS
  /** What stands with it, unread. */
  readonly said: Readonly<Record<string, unknown>>
}

/** A turn that begins, and the result file that is none of its own. */
export interface TurnMark {
  readonly workspace: string
  readonly before: string | null
  /** Whether the folder is the board's: what was understood is put away there. */
  readonly managed: boolean
}

export const resultPath = ({ workspace }: Pick<TurnMark, 'workspace'>): string => join(workspace, RESULT_FILE)

/** Whether the turn itself has left a file there. */
export async function hasResult(mark: TurnMark): Promise<boolean> {
  const now = await markOf(resultPath(mark))
  return now !== null && now !== mark.before
}

/** A disk that is full costs only what nobody may need. */
export async function noteTurn(
  { turn }: RunDirectory,
  fence: Fence,
  { workspace, managed }: Omit<TurnMark, 'before'>,
): Promise<TurnMark> {
  const mark = { workspace, managed, before: await markOf(resultPath({ workspace })) }
  await writeWhole(turn, sealed('muster-turn', fence, JSON.stringify(mark))).catch(() => {})
  return mark
}

/** Null when there is none that can be trusted. */
export async function readTurn({ turn }: RunDirectory, fence: Fence): Promise<TurnMark | null> {
  const text = await readIfExists(turn)
  const words = text === null ? null : openSeal('muster-turn', text, fence)
  return words === null ? null : (JSON.parse(words) as TurnMark)
}

/** Throws a sentence on why it is no verdict. */
export async function readResult(mark: TurnMark): Promise<ResultVerdict> {
  const all = parse(await readWhole(resultPath(mark), MAX_BYTES))
  const word = all['verdict']
  if (typeof word !== 'string' || !Object.hasOwn(FIELDS, word))
    throw new Error(`its verdict must be one of ${Object.keys(FIELDS).join(', ')}`)
  const verdict = word as ResultVerdict['verdict']
  const given = FIELDS[verdict].filter((field) => all[field] !== undefined).map((field) => [field, all[field]] as const)
  return { verdict, said: Object.fromEntries(given) }
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
