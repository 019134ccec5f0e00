/**
 * What a program's stream consists of: the types of its events, and what our adapter hears in each. Values do not count,
 * nor how often something comes, so that two recordings of one scene have the same shape. Lines in prose count only where
 * something is heard in them.
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
    const heard = readLine?.(line) ?? []
    if (fields === null && heard.length === 0) continue
    const type = fields === null ? PROSE : typeOf(fields)
    const known = shape.get(type) ?? new Set()
    shape.set(type, new Set([...known, ...heard.map(inWords)]))
  }
  return shape
}

/** What is in one and not in the other, each as a clause; nothing when they are the same. */
export function changesOf(recorded: Shape, now: Shape): readonly string[] {
  const fresh = [...now.keys()].filter((type) => !recorded.has(type))
  const gone = [...recorded.keys()].filter((type) => !now.has(type))
  const heard = [...now].flatMap(([type, entries]) => {
    const before = recorded.get(type)
    if (before === undefined) return []
    return [
      ...[...entries].filter((one) => !before.has(one)).map((one) => `${type} is now heard as ${one}`),
      ...[...before].filter((one) => !entries.has(one)).map((one) => `${type} is no longer heard as ${one}`),
    ]
  })
  return [
    ...fresh.map((type) => `the event ${type} is new`),
    ...gone.map((type) => `the event ${type} is gone`),
    ...heard,
  ]
}

/** As `system/init`, `item.completed command_execution` or `assistant tool_use`: its own type, and those of its parts. */
function typeOf(fields: Fields): string {
  const own = [fields['type'], fields['subtype']].map(asText).filter((one) => one !== null)
  const parts = [fields['item'], fields['part'], ...asList(asObject(fields['message'])?.['content'])]
  const inner = parts.flatMap((part) => asText(asObject(part)?.['type']) ?? [])
  const role = asText(fields['role'])
  return [own.join('/'), ...new Set(inner), ...(role === null ? [] : [role])].join(' ')
}

/** Its kind, and which of its parts were there to be heard. */
function inWords(entry: Entry): string {
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
