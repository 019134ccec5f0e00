/** The table of event kinds, with their comments and fields from core/event.ts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changesSchema } from '../../src/core/run.ts'
import { cell, code, table } from './markdown.ts'

/** Fields of types that are declared elsewhere. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  Changes: Object.keys(changesSchema.shape),
  Landed: ['commit', 'tip', 'into'],
}

export function eventKinds(core: string): string[] {
  const source = readFileSync(join(core, 'event.ts'), 'utf8')
  const [, body = ''] = /export interface EventData \{\n([^]*?)\n\}\n/.exec(source) ?? []
  const entries = [
    ...body.matchAll(/^ {2}\/\*\*((?:(?!\*\/)[^])+)\*\/\n {2}(\w+): ([^]*?)(?=\n\n|\n {2}\S|$(?![^]))/gm),
  ]
  const kinds = [...body.matchAll(/^ {2}(\w+):/gm)]
  if (entries.length !== kinds.length) throw new Error('An event kind of core/event.ts has no comment.')
  return table(
    ['Event', 'Meaning', 'Data'],
    entries.map(([, comment = '', kind = '', type = '']) => [
      code(kind),
      cell(comment.replaceAll(/\s+\*?\s*/g, ' ').trim()),
      fieldsOf(type, source).map(code).join(', '),
    ]),
  )
}

function fieldsOf(type: string, source: string): readonly string[] {
  const own = [...type.matchAll(/readonly (\w+)\??:/g)].map(([, field = '']) => field)
  const named = [...type.replace(/\{[^]*\}/, '').matchAll(/[A-Z]\w+/g)].flatMap(([name]) => namedFields(name, source))
  return [...new Set([...named, ...own])]
}

function namedFields(name: string, source: string): readonly string[] {
  const [, body] = new RegExp(`interface ${name} \\{([^}]*)\\}`).exec(source) ?? []
  return body === undefined ? (NAMED[name] ?? []) : fieldsOf(`{${body}}`, source)
}
