/** Parses the fields of a worker, such as `agent=claude,title=Read the logs,skills=sql,graphs`. */
import { badValue } from './flags.ts'

const FIELDS = ['agent', 'title', 'body', 'skills', 'priority'] as const
type Field = (typeof FIELDS)[number]

interface ParsedWorker {
  readonly agent: string
  readonly title: string | null
  readonly body: string | null
  readonly skills: string[] | null
  readonly priority: number
}

/** A comma ends a value only before the name of another field. So titles and lists of skills may contain commas. */
const NEXT_FIELD = new RegExp(`,\\s*(?=(?:${FIELDS.join('|')})=)`)

export function parseWorker(typed: string): ParsedWorker {
  const found = new Map<Field, string>()
  for (const part of typed.split(NEXT_FIELD)) {
    const at = part.indexOf('=')
    const name = at < 0 ? part : part.slice(0, at).trim().toLowerCase()
    const field = FIELDS.find((one) => one === name)
    if (field === undefined || at < 0) throw badValue(`${part.trim()} is not valid: write ${EXAMPLE}`)
    if (found.has(field)) throw badValue(`${field} is given twice`)
    found.set(field, part.slice(at + 1).trim())
  }
  const agent = found.get('agent')?.toLowerCase() ?? ''
  if (agent === '') throw badValue(`a worker needs an agent: write ${EXAMPLE}`)
  return {
    agent,
    title: found.get('title') ?? null,
    body: found.get('body') ?? null,
    skills: skillsIn(found.get('skills')),
    priority: priorityIn(found.get('priority')),
  }
}

const EXAMPLE = 'agent=claude,title=Read the logs,skills=sql'

const skillsIn = (typed: string | undefined): string[] | null =>
  typed === undefined
    ? null
    : typed
        .split(',')
        .map((skill) => skill.trim())
        .filter((skill) => skill !== '' && skill.toLowerCase() !== 'none')

function priorityIn(typed: string | undefined): number {
  const value = Number(typed ?? 0)
  if (typed !== '' && Number.isSafeInteger(value)) return value
  throw badValue('priority must be a whole number')
}
