/** Servers in a TOML file: a table `[<servers>.muster]` behind everything else. */
import { endOfLine, isBlank } from './config-format.ts'
import type { ConfigFormat } from './config-format.ts'
import { TextFault, lineAt } from './text-fault.ts'
import { nested, parseToml } from './toml-statements.ts'
import type { Statement } from './toml-statements.ts'

const NAME = 'muster'

export function tomlConfig(servers: string): ConfigFormat {
  const isWithin = ({ path }: Statement): boolean => path[0] === servers && path[1] === NAME
  const isTable = ({ kind, path }: Statement): boolean => kind === 'table' && path[0] === servers

  /** Which statements make up the entry. */
  const entryOf = (text: string): readonly Statement[] => parseToml(text).filter(isWithin)

  /** `mcp_servers = { … }`: nothing can be added behind such a table. */
  const closedTable = (text: string): Statement | undefined =>
    parseToml(text).find(({ kind, path }) => kind !== 'table' && path.length === 1 && path[0] === servers)

  const refuseClosed = (text: string): void => {
    const closed = closedTable(text)
    if (closed !== undefined)
      throw new TextFault(
        text,
        closed.start,
        `${servers} is written as one value: write its servers as tables, [${servers}.<name>]`,
      )
  }

  const find: ConfigFormat['find'] = (text) => {
    if (text === null) return null
    const [first] = entryOf(text)
    if (first !== undefined) return { value: entryValue(entryOf(text)), line: lineAt(text, first.start) }
    const closed = closedTable(text)
    const value = (closed?.value as Readonly<Record<string, unknown>> | null | undefined)?.[NAME]
    return closed === undefined || value === undefined ? null : { value, line: lineAt(text, closed.start) }
  }

  const take: ConfigFormat['take'] = (text, made) => {
    refuseClosed(text)
    const without = blocksOf(parseToml(text), isWithin).reduceRight(cutLines, text)
    return made === 'file' && isBlank(without) ? null : without
  }

  return {
    find,
    makes: (text) => {
      if (text === null) return 'file'
      return parseToml(text).some(isTable) ? 'entry' : 'servers'
    },
    put: (text, entry) => {
      if (text === null) return lines(servers, entry).join('\n') + '\n'
      refuseClosed(text)
      const eol = endOfLine(text)
      const table = lines(servers, entry).join(eol)
      const [block, ...others] = blocksOf(parseToml(text), isWithin)
      if (block !== undefined && others.length === 0 && block.isTable)
        return text.slice(0, block.start) + table + text.slice(block.end)
      const before = block === undefined ? text : (take(text, 'entry') ?? '')
      return before + gap(before, eol) + table + eol
    },
    take,
  }
}

interface Block {
  readonly start: number
  readonly end: number
  readonly isTable: boolean
}

/** Statements that follow each other without a stranger between them. */
function blocksOf(all: readonly Statement[], isOurs: (statement: Statement) => boolean): readonly Block[] {
  const blocks: Block[] = []
  all.forEach((statement, at) => {
    if (!isOurs(statement)) return
    const { start, end, kind } = statement
    const before = all[at - 1]
    const open = before !== undefined && isOurs(before) ? blocks.pop() : undefined
    blocks.push(open === undefined ? { start, end, isTable: kind === 'table' } : { ...open, end })
  })
  return blocks
}

/** With their lines, and with the empty line that set them apart. */
function cutLines(text: string, { start, end }: Block): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const before = text.slice(0, lineStart)
  const rest = lineEnd === -1 ? '' : text.slice(lineEnd + 1)
  if (isBlank(before)) return before + rest.replace(/^\r?\n/, '')
  return (/^\r?\n|^$/.test(rest) ? before.replace(/\n\r?\n$/, '\n') : before) + rest
}

/** An empty line between what is there and what comes behind it. */
function gap(text: string, eol: string): string {
  if (isBlank(text)) return ''
  if (!text.endsWith('\n')) return eol + eol
  return /\n\r?\n$/.test(text) ? '' : eol
}

/** Written as one value, or as a table with its pairs. */
function entryValue(statements: readonly Statement[]): unknown {
  const pairs = statements.filter(({ kind }) => kind === 'pair')
  const whole = pairs.find(({ path }) => path.length === 2)
  return whole === undefined ? nested(pairs.map(({ path, value }) => [path.slice(2), value])) : whole.value
}

const lines = (servers: string, entry: object): readonly string[] => [
  `[${servers}.${NAME}]`,
  ...Object.entries(entry).map(([name, value]) => `${keyText(name)} = ${valueText(value)}`),
]

const keyText = (name: string): string => (/^[A-Za-z0-9_-]+$/.test(name) ? name : stringText(name))

/** JSON's escapes are TOML's, but for one character. */
const stringText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f')

function valueText(value: unknown): string {
  if (typeof value === 'string') return stringText(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value).map(([name, inner]) => `${keyText(name)} = ${valueText(inner)}`)
  return `{ ${members.join(', ')} }`
}
