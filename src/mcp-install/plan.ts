/** Plans the change of a file for an install or a removal, without writing anything. */
import { createHash } from 'node:crypto'
import { BoardError } from '../core/errors.ts'
import type { Assistant, ServerCommand } from './assistant.ts'
import type { ConfigFile } from './config-file.ts'
import type { FoundServer } from './config-format.ts'
import type { InstallRecord } from './records.ts'
import { applySplice, spliceBetween } from './splice.ts'

export interface Plan {
  readonly change: 'installed' | 'updated' | 'removed' | 'none'
  /** The new text of the file. Null means that the file must be removed or does not exist. */
  readonly after: string | null
  /** The record of the install, without the folders that it creates. Null means that the plan removes Muster. */
  readonly record: Omit<InstallRecord, 'folders'> | null
}

export function planInstall(
  assistant: Assistant,
  server: ServerCommand,
  file: ConfigFile,
  record: InstallRecord | null,
): Plan {
  const { format } = assistant
  const { text } = file
  const entry = assistant.toEntry(server)
  const existing = format.find(text)
  if (text === null || existing === null) {
    const after = format.withEntry(text, entry)
    return { change: 'installed', after, record: recordFor(after, text, format.wouldCreate(text)) }
  }
  requireOurs(assistant, existing, file)
  if (isSame(assistant, existing, entry)) return { change: 'none', after: text, record }
  requirePlain(assistant, existing, file)
  const after = format.withEntry(text, entry)
  const made = record?.made ?? 'entry'
  return { change: 'updated', after, record: recordFor(after, textWithout(assistant, text, record), made) }
}

export function planRemove(assistant: Assistant, file: ConfigFile, record: InstallRecord | null): Plan {
  const existing = assistant.format.find(file.text)
  if (existing === null || file.text === null) return { change: 'none', after: file.text, record: null }
  requireOurs(assistant, existing, file)
  return { change: 'removed', after: textWithout(assistant, file.text, record), record: null }
}

/**
 * The text after the removal: the exact text from before the install. If the file has changed since the install, only
 * Muster's entry is removed.
 */
function textWithout({ format }: Assistant, text: string, record: InstallRecord | null): string | null {
  if (record === null || hashOf(text) !== record.left) return format.withoutEntry(text, record?.made ?? 'entry')
  return record.undo === null ? null : applySplice(text, record.undo)
}

const recordFor = (after: string, before: string | null, made: InstallRecord['made']): Plan['record'] => ({
  made,
  left: hashOf(after),
  undo: before === null ? null : spliceBetween(after, before),
})

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const isSame = ({ fields }: Assistant, { value }: FoundServer, entry: object): boolean =>
  fields.every((field) => jsonOfField(value, field) === jsonOfField(entry, field))

const jsonOfField = (value: unknown, field: string): string => JSON.stringify(fieldsOf(value)[field] ?? null)

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Whether the entry starts `muster mcp`, wherever Muster is installed. */
function isOurs({ fromEntry }: Assistant, { value }: FoundServer): boolean {
  const [program = '', command] = fromEntry(fieldsOf(value))?.args ?? []
  return /[\\/]dist[\\/]bin\.js$/.test(program) && command === 'mcp'
}

function requireOurs(assistant: Assistant, existing: FoundServer, { path }: ConfigFile): void {
  if (isOurs(assistant, existing)) return
  const server = assistant.fromEntry(fieldsOf(existing.value))
  const runs = server === null ? JSON.stringify(existing.value) : [server.command, ...server.args].join(' ')
  throw new BoardError(
    'entry_not_ours',
    `${path}, line ${existing.line}: Muster did not write the entry “muster” (${clip(runs)}). Nothing was changed. Rename or remove the entry first.`,
    { details: { path, line: existing.line } },
  )
}

/** Throws an error if the user added settings to Muster's entry, because these settings would be lost. */
function requirePlain({ fields }: Assistant, existing: FoundServer, { path }: ConfigFile): void {
  const added = Object.keys(fieldsOf(existing.value)).filter((name) => !fields.includes(name))
  if (added.length === 0) return
  throw new BoardError(
    'entry_not_ours',
    `${path}, line ${existing.line}: the entry “muster” starts Muster for another board or data folder, and contains settings that you added (${added.join(', ')}). Nothing was changed. Remove the entry with --remove, then install again.`,
    { details: { path, line: existing.line, settings: added } },
  )
}

const clip = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)
