/**
 * Reads the result file of a workspace. A file that existed before the turn is not the result of the turn. The run
 * directory records the state of the result file before the turn, so that a dispatcher can recognise an older file if
 * the supervisor dies.
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

/** The fields of each verdict. */
const FIELDS = {
  complete: ['summary', 'result', 'metadata', 'artifacts', 'createdCards'],
  block: ['reason', 'kind'],
  request_review: ['summary', 'metadata', 'reviewer'],
  request_changes: ['reason', 'workers'],
} as const

export interface ResultVerdict {
  readonly verdict: keyof typeof FIELDS
  /** The fields of the result file, which are not validated yet. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** A turn, with the state of the result file before the turn. */
export interface TurnMark {
  readonly workspace: string
  /** Identifies the result file that existed before the turn. Null means that no such file existed. */
  readonly before: string | null
  /** Whether Muster manages the workspace. If so, the result file is moved away when it is recorded. */
  readonly managed: boolean
}

export const resultPath = ({ workspace }: Pick<TurnMark, 'workspace'>): string => join(workspace, RESULT_FILE)

/** Whether this turn wrote the result file. */
export async function hasResult(mark: TurnMark): Promise<boolean> {
  const now = await fileMark(resultPath(mark))
  return now !== null && now !== mark.before
}

/**
 * Records the state of the result file before a turn. On a full disk the turn starts anyway, but a dispatcher could
 * then not use the result file.
 */
export async function noteTurn(
  { turn }: RunDirectory,
  fence: Fence,
  { workspace, managed }: Omit<TurnMark, 'before'>,
): Promise<TurnMark> {
  const mark = { workspace, managed, before: await fileMark(resultPath({ workspace })) }
  await writeWhole(turn, sealed('muster-turn', fence, JSON.stringify(mark))).catch(() => {})
  return mark
}

/** Reads the record of a turn. Returns null if the file is missing or its checksum is wrong. */
export async function readTurn({ turn }: RunDirectory, fence: Fence): Promise<TurnMark | null> {
  const text = await readIfExists(turn)
  const content = text === null ? null : openSeal('muster-turn', text, fence)
  return content === null ? null : (JSON.parse(content) as TurnMark)
}

/** Reads the verdict from the result file. Throws an error that explains why the file is not a valid verdict. */
export async function readResult(mark: TurnMark): Promise<ResultVerdict> {
  const all = parse(await readWhole(resultPath(mark), MAX_BYTES))
  const kind = all['verdict']
  if (typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind))
    throw new Error(`its verdict must be one of ${Object.keys(FIELDS).join(', ')}`)
  const verdict = kind as ResultVerdict['verdict']
  const given = FIELDS[verdict].filter((field) => all[field] !== undefined).map((field) => [field, all[field]] as const)
  return { verdict, fields: Object.fromEntries(given) }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('it is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is not a JSON object')
  return value as Record<string, unknown>
}

/**
 * A text that identifies one state of a file. The text changes whenever the file is written. Null means that the file
 * does not exist.
 */
async function fileMark(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null)
  return found?.isFile() === true ? `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}` : null
}
