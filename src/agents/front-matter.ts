/**
 * Reads the front matter of a Markdown file: `key: value` lines between two lines `---`. Each value keeps its line
 * number.
 */
import type * as yamlModule from 'yaml'
import type { ParsedNode } from 'yaml'

/**
 * The part of the YAML parser that is used here. Callers pass in the parser, so that only callers that read agent files
 * load it.
 */
type Yaml = Pick<typeof yamlModule, 'parseDocument' | 'LineCounter' | 'isMap' | 'isScalar' | 'isSeq'>

/** An error in a file, with its line. */
export interface AgentFileFault {
  readonly line: number
  /** The setting with the error. Null means that the error is about the whole file. */
  readonly field: string | null
  readonly message: string
}

export interface FrontMatterField {
  /** A text as the user typed it, or a list of such texts. No setting accepts a value of another type. */
  readonly value: unknown
  /** The line of the field, or of one item in its list. */
  lineOf(item?: number): number
}

export interface FrontMatter {
  readonly entries: ReadonlyMap<string, FrontMatterField>
  readonly text: string
}

const SHAPE = /^---[ \t]*\r?\n(|[\s\S]*?\r?\n)---[ \t]*(?:\r?\n|$)([\s\S]*)$/

export function readFrontMatter(file: string, yaml: Yaml): FrontMatter | AgentFileFault {
  const found = SHAPE.exec(file.replace(/^\uFEFF/, ''))
  if (found === null)
    return whole(1, 'begin with front matter: a line ---, settings such as harness: shell, a line ---')
  const [, head = '', text = ''] = found
  const lines = new yaml.LineCounter()
  // The failsafe schema knows only texts, lists and maps. So a value such as 05 stays as the user typed it.
  const document = yaml.parseDocument(head, { lineCounter: lines, schema: 'failsafe' })
  const lineAt = (offset: number): number => lines.linePos(offset).line + 1
  const [error] = document.errors
  if (error !== undefined) return whole(lineAt(error.pos[0]), `invalid YAML: ${firstLineOf(error.message)}`)
  if (document.contents === null) return { entries: new Map(), text }
  if (!yaml.isMap(document.contents)) return whole(2, 'write one "key: value" on each line')
  const values = valuesOf(document)
  if (values === null) return whole(2, 'the aliases expand too far: write the front matter without aliases')
  const entries = document.contents.items.map(({ key, value }): [string, FrontMatterField] => {
    const name = yaml.isScalar(key) ? String(key.value) : ''
    const items: readonly ParsedNode[] = value !== null && yaml.isSeq(value) ? value.items : []
    const start = lineAt(key.range[0])
    const lineOf = (item?: number): number => {
      const node = item === undefined ? undefined : items[item]
      return node === undefined ? start : lineAt(node.range[0])
    }
    return [name, { value: values[name], lineOf }]
  })
  return { entries: new Map(entries), text }
}

const whole = (line: number, message: string): AgentFileFault => ({ line, field: null, message })

/** The values of the document. Null means that its aliases expand to too many values. */
function valuesOf(document: { toJS(): unknown }): Record<string, unknown> | null {
  try {
    return document.toJS() as Record<string, unknown>
  } catch {
    return null
  }
}

const firstLineOf = (message: string): string =>
  (message.split('\n')[0] ?? '').replace(/ at line \d+.*$/, '').replace(/:$/, '')

/**
 * Formats a fault like a compiler error, so that editors can open the line: `coder.md:4: maxRuntime: write 30m or 2h`.
 */
export const faultText = (file: string, { line, field, message }: AgentFileFault): string =>
  `${file}:${line}: ${field === null ? '' : `${field}: `}${message}`
