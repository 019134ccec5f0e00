/**
 * The message catalogue. Each screen has its own `messages.ts`, so that screens change without conflicts. The compiler
 * requires every key in every language, and test/web/messages.test.ts requires the same placeholders.
 *
 * A message is a text with placeholders in braces. A message that depends on a number may have a form for one; `{n}`
 * chooses the form.
 */
import type { Language } from './language.ts'

interface Plural {
  readonly one?: string
  readonly other: string
}
export type Message = string | Plural

/** The names of the placeholders in a text: `'{a} of {b}'` → `'a' | 'b'`. */
type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type NamesOf<M> = M extends string ? NamesIn<M> : M extends { other: infer Text } ? NamesIn<Text> | 'n' : never

export type Catalogue<English extends Readonly<Record<string, Message>>> = Readonly<{
  en: English
  ko: Readonly<Record<keyof English, Message>>
  zh: Readonly<Record<keyof English, Message>>
}>

export const defineMessages = <const English extends Readonly<Record<string, Message>>>(
  catalogue: Catalogue<English>,
): Catalogue<English> => catalogue

/** The type of the values for the placeholders of a message. `n` is a number, because it selects the plural form. */
export type Values<M, Shown> = { readonly [Name in NamesOf<M>]: Name extends 'n' ? number : Shown }

export type Arguments<M, Shown> = [NamesOf<M>] extends [never] ? readonly [] : readonly [Values<M, Shown>]

/** Makes a formatter once for each language, because the browser takes milliseconds to make one. */
export function oncePerLanguage<T>(make: (language: Language) => T): (language: Language) => T {
  const made = new Map<Language, T>()
  return (language) => {
    const known = made.get(language) ?? make(language)
    made.set(language, known)
    return known
  }
}

const numbers = oncePerLanguage((language) => new Intl.NumberFormat(language))

/**
 * Formats a number. All three languages write whole numbers in the same way: `10,000`. So these need no formatter, which
 * takes 10 ms to make.
 */
export const formatNumber = (language: Language, value: number): string =>
  Number.isSafeInteger(value) ? String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',') : numbers(language).format(value)

/** Returns the form of a message for a number. In Korean and Chinese, the form `one` is for the number 1 only, too. */
const textOf = (message: Message, n: unknown): string =>
  typeof message === 'string' ? message : Number(n) === 1 ? (message.one ?? message.other) : message.other

/**
 * Returns the pieces of a message: its texts, and the values in place of the placeholders. A component can show a value
 * as an element, such as a link.
 */
export function piecesOf<Shown>(
  language: Language,
  message: Message,
  values: Readonly<Record<string, Shown>>,
): readonly (string | Shown)[] {
  return textOf(message, values['n'])
    .split(/(\{\w+\})/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const [, name] = /^\{(\w+)\}$/.exec(piece) ?? []
      const value = name === undefined ? piece : (values[name] ?? piece)
      return typeof value === 'number' ? formatNumber(language, value) : value
    })
}

export const formatMessage = (
  language: Language,
  message: Message,
  values: Readonly<Record<string, string | number>> = {},
): string => piecesOf(language, message, values).join('')
