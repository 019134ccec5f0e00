/** Servers in a JSON file: `{ "<servers>": { "muster": {…} } }`. */
import { BOM, isBlank } from './config-format.ts'
import type { ConfigFormat } from './config-format.ts'
import { insertMember, removeMember, replaceValue } from './json-edit.ts'
import type { Sheet } from './json-edit.ts'
import { memberNamed, parseJson, skipTrivia, valueOf } from './json-tree.ts'
import type { JsonDialect, JsonNode, ObjectNode } from './json-tree.ts'
import { TextFault, lineAt } from './text-fault.ts'

const NAME = 'muster'

export function jsonConfig(servers: string, dialect: JsonDialect): ConfigFormat {
  const sheetOf = (text: string): Sheet => ({ text, dialect, root: objectIn(text, parseJson(text, dialect), 'it') })

  const serversOf = ({ text, root }: Sheet): ObjectNode | null => {
    const member = memberNamed(root, servers)
    return member === null ? null : objectIn(text, member.value, servers)
  }

  const take: ConfigFormat['take'] = (text, made) => {
    const sheet = sheetOf(text)
    const table = serversOf(sheet)
    const member = table === null ? null : memberNamed(table, NAME)
    if (table === null || member === null) return text
    const without = removeMember(sheet, table, member)
    return made === 'entry' ? without : withoutTable(without, made)
  }

  const withoutTable = (text: string, made: 'file' | 'servers'): string | null => {
    const sheet = sheetOf(text)
    const member = memberNamed(sheet.root, servers)
    if (member === null || !isEmptyObject(text, member.value)) return text
    const without = removeMember(sheet, sheet.root, member)
    const { root } = sheetOf(without)
    return made === 'file' && isEmptyObject(without, root) && isBlank(outside(without, root)) ? null : without
  }

  const isEmptyObject = (text: string, node: JsonNode): boolean =>
    node.kind === 'object' &&
    node.members.length === 0 &&
    skipTrivia(text, node.start + 1, { ...dialect, comments: false }) === node.end - 1

  return {
    find: (text) => {
      if (text === null || isBlank(text)) return null
      const table = serversOf(sheetOf(text))
      const member = table === null ? null : memberNamed(table, NAME)
      return member === null ? null : { value: valueOf(member.value), line: lineAt(text, member.start) }
    },
    makes: (text) => {
      if (text === null) return 'file'
      return isBlank(text) || serversOf(sheetOf(text)) === null ? 'servers' : 'entry'
    },
    put: (text, entry) => {
      if (text === null || isBlank(text))
        return `${BOM.exec(text ?? '')?.[0] ?? ''}${JSON.stringify({ [servers]: { [NAME]: entry } }, null, 2)}\n`
      const sheet = sheetOf(text)
      const table = serversOf(sheet)
      if (table === null) return insertMember(sheet, sheet.root, servers, { [NAME]: entry })
      const member = memberNamed(table, NAME)
      return member === null ? insertMember(sheet, table, NAME, entry) : replaceValue(sheet, member, entry)
    },
    take,
  }
}

function objectIn(text: string, node: JsonNode, what: string): ObjectNode {
  if (node.kind !== 'object') throw new TextFault(text, node.start, `${what} must be an object: { … }`)
  return node
}

const outside = (text: string, { start, end }: ObjectNode): string => text.slice(0, start) + text.slice(end)
