/**
 * The message catalogue. Each screen has its own `messages.ts`, so that screens can change independently. The compiler
 * requires every key in every language, and test/web/messages.test.ts requires the same placeholders. A message is text
 * with placeholders in braces. It may have a separate form for the number one; `{n}` chooses the form.
 */
import type { Language } from './language.ts'

interface Plural {
  readonly one?: string
  readonly other: string
}
export type Message = string | Plural

/** The placeholder names in a text: `'{a} of {b}'` → `'a' | 'b'`. */
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

/** The values for the placeholders of a message. `n` is a number, because it chooses the plural form. */
export type Values<M, Shown> = { readonly [Name in NamesOf<M>]: Name extends 'n' ? number : Shown }

export type Arguments<M, Shown> = [NamesOf<M>] extends [never] ? readonly [] : readonly [Values<M, Shown>]

/** Creates one formatter per language, because creating one takes milliseconds. */
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
 * Formats a whole number. All three languages write it like `10,000`. Creating a formatter would take 10 ms, so none is
 * used.
 */
export const formatNumber = (language: Language, value: number): string =>
  Number.isSafeInteger(value) ? String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',') : numbers(language).format(value)

/** Returns the form of a message for a number. In Korean and Chinese too, the form `one` is only for the number 1. */
const textOf = (message: Message, n: unknown): string =>
  typeof message === 'string' ? message : Number(n) === 1 ? (message.one ?? message.other) : message.other

/** Matches the marks that change the direction of the text after them. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/g

/** Removes the marks with which a title could reverse the sentence around it. */
export const withoutDirections = (text: string): string => text.replaceAll(DIRECTIONS, '')

/**
 * Returns the pieces of a message: its texts, with the values in place of the placeholders. So a component can show a
 * value as an element, such as a link.
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
      if (typeof value === 'number') return formatNumber(language, value)
      return typeof value === 'string' ? withoutDirections(value) : value
    })
}

export const formatMessage = (
  language: Language,
  message: Message,
  values: Readonly<Record<string, string | number>> = {},
): string => piecesOf(language, message, values).join('')
