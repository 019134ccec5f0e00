/** Plans what installing or removing changes in a file. Writes nothing. */
import { createHash } from 'node:crypto'
import { BoardError } from '../core/errors.ts'
import type { Assistant, Server } from './assistant.ts'
import type { ConfigFile } from './config-file.ts'
import type { Found } from './config-format.ts'
import type { InstallRecord } from './records.ts'
import { applySplice, spliceBetween } from './splice.ts'

export interface Plan {
  readonly change: 'installed' | 'updated' | 'removed' | 'none'
  /** The new text; null: no file. */
  readonly after: string | null
  /** What to remember, without the folders. */
  readonly record: Omit<InstallRecord, 'folders'> | null
}

export function planInstall(
  assistant: Assistant,
  server: Server,
  file: ConfigFile,
  record: InstallRecord | null,
): Plan {
  const { format } = assistant
  const { text } = file
  const entry = assistant.toEntry(server)
  const there = format.find(text)
  if (text === null || there === null) {
    const after = format.put(text, entry)
    return { change: 'installed', after, record: recordFor(after, text, format.makes(text)) }
  }
  requireOurs(assistant, there, file)
  if (isSame(assistant, there, entry)) return { change: 'none', after: text, record }
  requirePlain(assistant, there, file)
  const after = format.put(text, entry)
  const made = record?.made ?? 'entry'
  return { change: 'updated', after, record: recordFor(after, without(assistant, text, record), made) }
}

export function planRemove(assistant: Assistant, file: ConfigFile, record: InstallRecord | null): Plan {
  const there = assistant.format.find(file.text)
  if (there === null || file.text === null) return { change: 'none', after: file.text, record: null }
  requireOurs(assistant, there, file)
  return { change: 'removed', after: without(assistant, file.text, record), record: null }
}

/** The text before the install, to the byte. If the file has changed since, only our entry is removed. */
function without({ format }: Assistant, text: string, record: InstallRecord | null): string | null {
  if (record === null || hashOf(text) !== record.left) return format.take(text, record?.made ?? 'entry')
  return record.undo === null ? null : applySplice(text, record.undo)
}

const recordFor = (after: string, before: string | null, made: InstallRecord['made']): Plan['record'] => ({
  made,
  left: hashOf(after),
  undo: before === null ? null : spliceBetween(after, before),
})

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const isSame = ({ fields }: Assistant, { value }: Found, entry: object): boolean =>
  fields.every((field) => fieldText(value, field) === fieldText(entry, field))

const fieldText = (value: unknown, field: string): string => JSON.stringify(fieldsOf(value)[field] ?? null)

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Whether it starts `muster mcp`, from any place where Muster was installed. */
function isOurs({ fromEntry }: Assistant, { value }: Found): boolean {
  const [program = '', command] = fromEntry(fieldsOf(value))?.args ?? []
  return /[\\/]dist[\\/]bin\.js$/.test(program) && command === 'mcp'
}

function requireOurs(assistant: Assistant, there: Found, { path }: ConfigFile): void {
  if (isOurs(assistant, there)) return
  const server = assistant.fromEntry(fieldsOf(there.value))
  const runs = server === null ? JSON.stringify(there.value) : [server.command, ...server.args].join(' ')
  throw new BoardError(
    'entry_not_ours',
    `${path}, line ${there.line}: there is an entry “muster” that Muster did not write (${clip(runs)}). Nothing was changed: rename or remove it yourself.`,
    { details: { path, line: there.line } },
  )
}

/** Settings that the user added to our entry must not be lost. */
function requirePlain({ fields, title }: Assistant, there: Found, { path }: ConfigFile): void {
  const added = Object.keys(fieldsOf(there.value)).filter((name) => !fields.includes(name))
  if (added.length === 0) return
  throw new BoardError(
    'entry_not_ours',
    `${path}, line ${there.line}: the entry “muster” starts another Muster, or another board, and has settings of yours (${added.join(', ')}). Nothing was changed: take it out with --remove first, and ${title} gets a new one.`,
    { details: { path, line: there.line, settings: added } },
  )
}

const clip = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)
