/** Changes the description in the text of an agent file. Everything else in the file stays as its author wrote it. */
import type * as yamlModule from 'yaml'

type Yaml = Pick<typeof yamlModule, 'parseDocument' | 'isMap' | 'isScalar' | 'stringify'>

/** The comment after a description that a model wrote. A person who edits the text can remove it. */
const BY_MODEL = '# by a model'

const HEAD = /^(\uFEFF?---[ \t]*\r?\n)(|[\s\S]*?\r?\n)(---[ \t]*(?:\r?\n|$))/

export interface FoundDescription {
  readonly text: string
  readonly isByModel: boolean
}

/** The description in the file, and its place in the text. Null means that the file has none. */
function findDescription(head: string, yaml: Yaml): (FoundDescription & { start: number; end: number }) | null {
  const document = yaml.parseDocument(head, { schema: 'failsafe' })
  if (!yaml.isMap(document.contents)) return null
  for (const { key, value } of document.contents.items) {
    if (!yaml.isScalar(key) || key.value !== 'description' || !key.range || !yaml.isScalar(value) || !value.range)
      continue
    const [, valueEnd] = value.range
    const line = /^[^\n]*/.exec(head.slice(valueEnd))?.[0] ?? ''
    const isByModel = line.trim() === BY_MODEL
    return {
      text: typeof value.value === 'string' ? value.value : '',
      isByModel,
      start: key.range[0],
      end: isByModel ? valueEnd + line.trimEnd().length : valueEnd,
    }
  }
  return null
}

/** The description of an agent file. Null means that it has none. */
export function descriptionIn(file: string, yaml: Yaml): FoundDescription | null {
  const [, , head = ''] = HEAD.exec(file) ?? []
  return findDescription(head, yaml)
}

/** The file with another description. Null means that the file has no front matter. */
export function withDescription(file: string, { text, isByModel }: FoundDescription, yaml: Yaml): string | null {
  const found = HEAD.exec(file)
  if (found === null) return null
  const [whole, opening = '', head = '', closing = ''] = found
  const line = `description: ${yaml.stringify(text, { lineWidth: 0 }).trim()}${isByModel ? ` ${BY_MODEL}` : ''}`
  const place = findDescription(head, yaml)
  const before = place === null ? '' : head.slice(0, place.start)
  const after = place === null ? `\n${head}` : head.slice(place.end)
  // A block of several lines ends with the line break that the next key needs.
  const separator =
    after === '' || after.startsWith('\n') || after.startsWith('\r') || after.startsWith(' ') ? '' : '\n'
  const changed = `${before}${line}${separator}${after}`
  return `${opening}${changed.endsWith('\n') ? changed : `${changed}\n`}${closing}${file.slice(whole.length)}`
}
