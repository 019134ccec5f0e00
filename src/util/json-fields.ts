/**
 * Reads JSON that other programs write. Any field may be missing, or may have another type in the next version of the
 * program.
 */
export type Fields = Readonly<Record<string, unknown>>

/** Parses a line. Returns null if the line is not a JSON object. */
export function objectIn(line: string): Fields | null {
  if (!line.startsWith('{')) return null
  try {
    return asObject(JSON.parse(line))
  } catch {
    return null
  }
}

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asObject = (value: unknown): Fields | null => (isRecord(value) ? value : null)

export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const asCount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : null

/** Adds up several fields. A missing field counts as 0. */
export const sumOf = (fields: Fields, ...names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (asCount(fields[name]) ?? 0), 0)

export const asAmount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The maximum depth of nesting to read. Real results are nested less deeply. */
const DEPTH = 32

/** Collects all text in a result, at any depth up to the maximum. */
export function textIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value
  if (depth > DEPTH) return ''
  if (Array.isArray(value))
    return value
      .map((one) => textIn(one, depth + 1))
      .filter((text) => text !== '')
      .join('\n')
  const fields = asObject(value)
  if (fields === null) return ''
  return textIn(fields['text'] ?? fields['content'] ?? fields['output'] ?? fields['message'] ?? '', depth + 1)
}

/** Removes the comments that people write into JSON settings. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (found) => (found.startsWith('"') ? found : ' '))
