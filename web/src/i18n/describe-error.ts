/**
 * Returns the sentence for an error. The server explains its refusals in English. If this page knows the code, it shows
 * a translation.
 */
import { ClientError } from '../../../src/client/index.ts'
import type { Language } from './language.ts'
import { errorMessages } from './error-messages.ts'
import { formatMessage } from './messages.ts'

const isKnown = (code: string): code is keyof (typeof errorMessages)['en'] => Object.hasOwn(errorMessages.en, code)

export function describeError(error: unknown, language: Language): string {
  if (!(error instanceof ClientError)) return error instanceof Error ? error.message : String(error)
  return isKnown(error.code) ? formatMessage(language, errorMessages[language][error.code]) : error.message
}
