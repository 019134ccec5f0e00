/** Returns every text in a message, at any depth. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textIn).filter(Boolean).join('\n')
  if (typeof value !== 'object' || value === null) return ''
  return textIn(Object.values(value))
}
