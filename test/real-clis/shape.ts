/**
 * The shape of a program's stream: the types of its events, and the kinds of entries that our adapter reads from each
 * event. Values and counts are left out, so that two recordings of one scene have the same shape. Lines that are not
 * JSON count only if the adapter reads an entry from them.
 */
import type { Adapter } from '../../src/harnesses/harness.ts'
import type { Entry } from '../../src/harnesses/stream/entry.ts'
import { asList, asObject, asText, objectIn } from '../../src/util/json-fields.ts'
import type { Fields } from '../../src/util/json-fields.ts'

export type Shape = ReadonlyMap<string, ReadonlySet<string>>

const PROSE = 'prose'

export function shapeOf({ readLine }: Adapter, lines: readonly string[]): Shape {
  const shape = new Map<string, Set<string>>()
  for (const line of lines) {
    const fields = objectIn(line)
    const entries = readLine?.(line) ?? []
    if (fields === null && entries.length === 0) continue
    const type = fields === null ? PROSE : typeOf(fields)
    const known = shape.get(type) ?? new Set()
    shape.set(type, new Set([...known, ...entries.map(describeEntry)]))
  }
  return shape
}

/** Describes each difference between two shapes. */
export function changesOf(recorded: Shape, now: Shape): readonly string[] {
  const fresh = [...now.keys()].filter((type) => !recorded.has(type))
  const gone = [...recorded.keys()].filter((type) => !now.has(type))
  const changed = [...now].flatMap(([type, entries]) => {
    const before = recorded.get(type)
    if (before === undefined) return []
    return [
      ...[...entries].filter((one) => !before.has(one)).map((one) => `${type} is now read as ${one}`),
      ...[...before].filter((one) => !entries.has(one)).map((one) => `${type} is no longer read as ${one}`),
    ]
  })
  return [
    ...fresh.map((type) => `the event ${type} is new`),
    ...gone.map((type) => `the event ${type} is gone`),
    ...changed,
  ]
}

/** The type of an event and of its parts, such as `system/init` or `item.completed command_execution`. */
function typeOf(fields: Fields): string {
  const own = [fields['type'], fields['subtype']].map(asText).filter((one) => one !== null)
  const parts = [fields['item'], fields['part'], ...asList(asObject(fields['message'])?.['content'])]
  const inner = parts.flatMap((part) => asText(asObject(part)?.['type']) ?? [])
  const role = asText(fields['role'])
  return [own.join('/'), ...new Set(inner), ...(role === null ? [] : [role])].join(' ')
}

/** The kind of an entry, and which of its fields are present. */
function describeEntry(entry: Entry): string {
  switch (entry.kind) {
    case 'session':
    case 'answers':
    case 'changed':
      return entry.kind
    case 'said':
      return entry.isContinuation === true ? 'said in parts' : 'said'
    case 'called':
      return `called ${entry.tool}${entry.input === undefined ? '' : ' with input'}`
    case 'returned':
      return `returned ${entry.ok ? 'well' : 'badly'}${entry.text === '' ? '' : ' with text'}`
    case 'usage':
      return ['usage of', ...Object.entries(entry.usage).flatMap(([name, value]) => (value === null ? [] : name))].join(
        ' ',
      )
    case 'waits':
    case 'failed':
      return `${entry.kind} ${entry.failure.kind}${entry.failure.retryAt === null ? '' : ' until a time'}`
  }
}
