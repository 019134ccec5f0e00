/** Finds the JSON object in the reply of a model, and checks it against the schema of the question. */
import type * as z from 'zod'
import { cut } from '../../core/text.ts'

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: string }

export function parseAnswer<T>(text: string, schema: z.ZodType<T>): Parsed<T> {
  const found = jsonIn(text)
  if (found === undefined) return { ok: false, fault: 'it contains no JSON object' }
  const checked = schema.safeParse(found)
  return checked.success ? { ok: true, value: checked.data } : { ok: false, fault: faultsIn(checked.error) }
}

/**
 * Finds the JSON in a reply. Models without a JSON mode often add a sentence or a code fence. Reasoning models may
 * first print thoughts that contain other braces.
 */
function jsonIn(text: string): object | undefined {
  const said = text.replace(/^\s*<think(?:ing)?>[^]*?<\/think(?:ing)?>/i, '')
  const [first, last] = [said.indexOf('{'), said.lastIndexOf('}')]
  return parsed(said.trim()) ?? (first === -1 || last < first ? undefined : parsed(said.slice(first, last + 1)))
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const FAULTS_MAX = 10

const faultsIn = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, FAULTS_MAX)
    .map(({ path, message }) => cut(path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`, 200))
    .join('; ')
