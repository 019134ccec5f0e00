/** What the parser of the command line says, as one of our errors. */
import type { CommanderError } from 'commander'
import { BoardError } from '../core/errors.ts'

const HELP_CODES = new Set(['commander.help', 'commander.helpDisplayed', 'commander.version'])

/** Help and version are no errors; they have been printed. */
export const isHelp = (error: CommanderError): boolean => HELP_CODES.has(error.code)

export function usageError(error: CommanderError): BoardError {
  const [what = '', ...hints] = error.message.replace(/^error: /, '').split('\n')
  const sentence = what.charAt(0).toUpperCase() + what.slice(1)
  const hint = hints.map((line) => line.replace(/^\((.*)\)$/, '$1')).join(' ')
  const full = `${sentence}${/[.?!]$/.test(sentence) ? '' : '.'}${hint === '' ? '' : ` ${hint}`}`
  return new BoardError('invalid_input', full, { details: { usage: error.code.replace('commander.', '') } })
}
