/** The servers in a TOML file. Muster's entry is a table `[<servers>.muster]` at the end of the file. */
import { endOfLine, isBlank } from './config-format.ts'
import type { ConfigFormat, Created } from './config-format.ts'
import { TextFault, lineNumberAt } from './text-fault.ts'
import { nested, parseToml } from './toml-statements.ts'
import type { TomlStatement } from './toml-statements.ts'

const NAME = 'muster'

export const tomlConfig = (servers: string): ConfigFormat => new TomlConfig(servers)

class TomlConfig implements ConfigFormat {
  readonly #servers: string

  constructor(servers: string) {
    this.#servers = servers
  }

  find(text: string | null): ReturnType<ConfigFormat['find']> {
    if (text === null) return null
    const entry = parseToml(text).filter(this.#isOurs)
    const [first] = entry
    if (first !== undefined) return { value: entryValue(entry), line: lineNumberAt(text, first.start) }
    const inline = this.#inlineTable(text)
    const value = (inline?.value as Readonly<Record<string, unknown>> | null | undefined)?.[NAME]
    return inline === undefined || value === undefined ? null : { value, line: lineNumberAt(text, inline.start) }
  }

  wouldCreate(text: string | null): Created {
    if (text === null) return 'file'
    const hasTable = parseToml(text).some(({ kind, path }) => kind === 'table' && path[0] === this.#servers)
    return hasTable ? 'entry' : 'servers'
  }

  withEntry(text: string | null, entry: object): string {
    if (text === null) return `${entryLines(this.#servers, entry).join('\n')}\n`
    this.#refuseInline(text)
    const eol = endOfLine(text)
    const table = entryLines(this.#servers, entry).join(eol)
    const [block, ...others] = blocksOf(parseToml(text), this.#isOurs)
    if (block !== undefined && others.length === 0 && block.isTable)
      return text.slice(0, block.start) + table + text.slice(block.end)
    const before = block === undefined ? text : (this.withoutEntry(text, 'entry') ?? '')
    return before + gap(before, eol) + table + eol
  }

  withoutEntry(text: string, made: Created): string | null {
    this.#refuseInline(text)
    const without = blocksOf(parseToml(text), this.#isOurs).reduceRight(cutLines, text)
    return made === 'file' && isBlank(without) ? null : without
  }

  readonly #isOurs = ({ path }: TomlStatement): boolean => path[0] === this.#servers && path[1] === NAME

  /** Finds a statement `mcp_servers = { … }`. No table can be added to such a value. */
  #inlineTable(text: string): TomlStatement | undefined {
    return parseToml(text).find(({ kind, path }) => kind !== 'table' && path.length === 1 && path[0] === this.#servers)
  }

  #refuseInline(text: string): void {
    const inline = this.#inlineTable(text)
    if (inline === undefined) return
    const advice = `write each server as a table, [${this.#servers}.<name>]`
    throw new TextFault(text, inline.start, `${this.#servers} is one inline value: ${advice}`)
  }
}

interface Block {
  readonly start: number
  readonly end: number
  readonly isTable: boolean
}

/** The blocks of Muster's own statements. Consecutive statements form one block. */
function blocksOf(all: readonly TomlStatement[], isOurs: (statement: TomlStatement) => boolean): readonly Block[] {
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

/** Removes the lines of a block, and one empty line beside it. */
function cutLines(text: string, { start, end }: Block): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const before = text.slice(0, lineStart)
  const rest = lineEnd === -1 ? '' : text.slice(lineEnd + 1)
  if (isBlank(before)) return before + rest.replace(/^\r?\n/, '')
  return (/^\r?\n|^$/.test(rest) ? before.replace(/\n\r?\n$/, '\n') : before) + rest
}

/** The line breaks that make an empty line before Muster's table. */
function gap(text: string, eol: string): string {
  if (isBlank(text)) return ''
  if (!text.endsWith('\n')) return eol + eol
  return /\n\r?\n$/.test(text) ? '' : eol
}

/** The value of the entry. The entry may be one value, or a table with pairs. */
function entryValue(statements: readonly TomlStatement[]): unknown {
  const pairs = statements.filter(({ kind }) => kind === 'pair')
  const whole = pairs.find(({ path }) => path.length === 2)
  return whole === undefined ? nested(pairs.map(({ path, value }) => [path.slice(2), value])) : whole.value
}

const entryLines = (servers: string, entry: object): readonly string[] => [
  `[${servers}.${NAME}]`,
  ...Object.entries(entry).map(([name, value]) => `${keyText(name)} = ${valueText(value)}`),
]

const keyText = (name: string): string => (/^[A-Za-z0-9_-]+$/.test(name) ? name : stringText(name))

/** Escapes a text as in JSON. TOML also requires an escape for the character DEL. */
const stringText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f')

function valueText(value: unknown): string {
  if (typeof value === 'string') return stringText(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value).map(([name, inner]) => `${keyText(name)} = ${valueText(inner)}`)
  return `{ ${members.join(', ')} }`
}
