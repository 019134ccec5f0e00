/** The servers in a JSON file: `{ "<servers>": { "muster": {…} } }`. */
import { BOM, isBlank } from './config-format.ts'
import type { ConfigFormat, Created } from './config-format.ts'
import { insertMember, removeMember, replaceValue } from './json-edit.ts'
import type { JsonText } from './json-edit.ts'
import { memberNamed, parseJson } from './json-tree.ts'
import type { JsonDialect, JsonNode, Member, ObjectNode } from './json-tree.ts'
import { TextFault, lineNumberAt } from './text-fault.ts'

const NAME = 'muster'

export const jsonConfig = (servers: string, dialect: JsonDialect): ConfigFormat => new JsonConfig(servers, dialect)

interface ServerEntry extends JsonText {
  /** The object with the servers. Null means that the object does not exist. */
  readonly table: ObjectNode | null
  readonly member: Member | null
}

class JsonConfig implements ConfigFormat {
  readonly #servers: string
  readonly #dialect: JsonDialect

  constructor(servers: string, dialect: JsonDialect) {
    this.#servers = servers
    this.#dialect = dialect
  }

  find(text: string | null): ReturnType<ConfigFormat['find']> {
    if (text === null || isBlank(text)) return null
    const { member } = this.#read(text)
    return member === null ? null : { value: member.value.value(), line: lineNumberAt(text, member.start) }
  }

  wouldCreate(text: string | null): Created {
    if (text === null) return 'file'
    return isBlank(text) || this.#read(text).table === null ? 'servers' : 'entry'
  }

  withEntry(text: string | null, entry: object): string {
    if (text === null || isBlank(text))
      return `${BOM.exec(text ?? '')?.[0] ?? ''}${JSON.stringify({ [this.#servers]: { [NAME]: entry } }, null, 2)}\n`
    const source = this.#read(text)
    const { root, table, member } = source
    if (table === null) return insertMember(source, root, this.#servers, { [NAME]: entry })
    return member === null ? insertMember(source, table, NAME, entry) : replaceValue(source, member, entry)
  }

  withoutEntry(text: string, made: Created): string | null {
    const source = this.#read(text)
    const { table, member } = source
    if (table === null || member === null) return text
    const without = removeMember(source, table, member)
    return made === 'entry' ? without : this.#withoutTable(without, made)
  }

  #withoutTable(text: string, made: 'file' | 'servers'): string | null {
    const source = this.#read(text)
    const member = memberNamed(source.root, this.#servers)
    if (member === null || !isEmptyObject(text, member.value)) return text
    const without = removeMember(source, source.root, member)
    const { root } = this.#read(without)
    const isUnused = isEmptyObject(without, root) && isBlank(without.slice(0, root.start) + without.slice(root.end))
    return made === 'file' && isUnused ? null : without
  }

  #read(text: string): ServerEntry {
    const root = requireObject(text, parseJson(text, this.#dialect), 'it')
    const servers = memberNamed(root, this.#servers)
    const table = servers === null ? null : requireObject(text, servers.value, this.#servers)
    return { text, root, table, member: table === null ? null : memberNamed(table, NAME) }
  }
}

const isEmptyObject = (text: string, { start, end, members }: JsonNode): boolean =>
  members?.length === 0 && isBlank(text.slice(start + 1, end - 1))

function requireObject(text: string, node: JsonNode, what: string): ObjectNode {
  const { members } = node
  if (members === null) throw new TextFault(text, node.start, `${what} must be an object: { … }`)
  return { ...node, members }
}
