/** Parsers for the settings of an agent file, whose values are texts and lists. */
import { parseDuration } from '../core/duration.ts'
import { activeHoursFault } from '../core/gates/active-hours.ts'
import { isSlug } from '../core/ids.ts'
import { textFault } from '../core/text.ts'
import { WHOLE_BOARD } from '../core/vocabulary.ts'
import type { FieldParser } from './field-reader.ts'
import { isSkillName } from './skills/skill.ts'

const word = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)

/** Reads one line of text. A value with several lines is joined into one line. */
export const line: FieldParser<string> = (value) => {
  const text = word(value)
  if (text === null) return { fault: 'write a line of text' }
  const fault = textFault(text)
  return fault === null ? { value: text.replace(/\s+/g, ' ') } : { fault }
}

/** Reads a value that becomes an argument of a program, so the value must not look like an option. */
export const argument: FieldParser<string> = (value) => {
  const found = line(value)
  return 'value' in found && found.value.startsWith('-') ? { fault: 'it must not start with -' } : found
}

/** Reads the name of an account. The name is stored in lower case, so that two spellings mean the same account. */
export const accountName: FieldParser<string> = (value) => {
  const found = line(value)
  return 'value' in found ? { value: found.value.toLowerCase() } : found
}

export const agentName: FieldParser<string> = (value) => {
  const text = word(value) ?? ''
  return isSlug(text) ? { value: text } : { fault: 'write the name of another agent' }
}

export const activeHours: FieldParser<string> = (value) => {
  const found = line(value)
  if (!('value' in found)) return found
  const fault = activeHoursFault(found.value)
  return fault === null ? found : { fault }
}

export const oneOf =
  <const T extends string>(choices: readonly T[]): FieldParser<T> =>
  (value) => {
    const found = choices.find((choice) => choice === value)
    return found === undefined ? { fault: `choose among ${choices.join(', ')}` } : { value: found }
  }

export const wholeNumber: FieldParser<number> = (value) => {
  const text = word(value) ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? { value: Number(text) } : { fault: 'write a whole number, 1 or more' }
}

export const durationMs: FieldParser<number> = (value) => {
  const ms = parseDuration(word(value) ?? '')
  return ms === null ? { fault: 'write 30m or 2h' } : { value: ms }
}

const list = (
  value: unknown,
  example: string,
  faultIn: (text: string) => string | null,
): ReturnType<FieldParser<readonly string[]>> => {
  if (!Array.isArray(value)) return { fault: `write a list, as in ${example}` }
  const items: readonly unknown[] = value
  for (const [item, text] of items.entries()) {
    const fault = typeof text === 'string' ? faultIn(text) : `write texts only, as in ${example}`
    if (fault !== null) return { fault, item }
  }
  return { value: items as readonly string[] }
}

export const texts: FieldParser<readonly string[]> = (value) => list(value, '[make, "{task}"]', textFault)

/** Reads commands, one from each list item. */
export const commands: FieldParser<readonly string[]> = (value) =>
  list(value, '[npm ci, npm test]', (text) => (text.trim() === '' ? 'write a command' : textFault(text)))

export const variables: FieldParser<readonly string[]> = (value) =>
  list(value, '[API_KEY, LANG]', (text) => {
    if (text.startsWith('MUSTER_')) return `${text} is not passed on, because each run gets its own value`
    return /^[A-Za-z_]\w*$/.test(text) ? null : 'write names of variables only; their values stay in the environment'
  })

/**
 * Reads the list of tools. Every agent has the tools for its own card, so the list can only name the tools for the
 * whole board.
 */
export const tools: FieldParser<readonly string[]> = (value) =>
  list(typeof value === 'string' ? [value] : value, `[${WHOLE_BOARD}]`, (text) =>
    text === WHOLE_BOARD ? null : `write ${WHOLE_BOARD} for an agent that may use the whole board`,
  )

/**
 * Reads a list of skills without duplicates. Whether the skills exist is not checked, because that depends on the
 * card's repository.
 */
export const skills: FieldParser<readonly string[]> = (value) => {
  const found = list(typeof value === 'string' ? [value] : value, '[reading, style]', (text) =>
    isSkillName(text.trim()) ? null : `${text} is not a skill name: use the name of its folder`,
  )
  return 'value' in found ? { value: [...new Set(found.value.map((name) => name.trim()))] } : found
}

/** Returns what is wrong with the first argument, which names the program. Null means that the argument is valid. */
export function programFault(named: string): string | null {
  if (/\{\w+\}/.test(named)) return 'the program itself cannot be a placeholder'
  const found = named !== '' && (!named.includes('/') || named.startsWith('/') || named.startsWith('~/'))
  return found ? null : 'write the program as a name on the PATH, or as an absolute path'
}
