import { Fragment, useMemo } from 'react'
import type { ReactNode } from 'react'
import { useValue } from '../app-state/use-value.ts'
import { languageValue } from './language.ts'
import type { Language } from './language.ts'
import { formatMessage, piecesOf } from './messages.ts'
import type { Arguments, Catalogue, Message } from './messages.ts'

export interface Translate<English extends Readonly<Record<string, Message>>> {
  <Key extends keyof English>(key: Key, ...values: Arguments<English[Key], string | number>): string
  /** Like the plain call, but a value may be an element. */
  rich<Key extends keyof English>(key: Key, ...values: Arguments<English[Key], ReactNode>): ReactNode
}

export const useLanguage = (): Language => useValue(languageValue)

export function translator<English extends Readonly<Record<string, Message>>>(
  catalogue: Catalogue<English>,
  language: Language,
): Translate<English> {
  const translate = (key: keyof English, values?: Readonly<Record<string, string | number>>): string =>
    formatMessage(language, catalogue[language][key], values)
  const rich = (key: keyof English, values: Readonly<Record<string, ReactNode>> = {}): ReactNode =>
    piecesOf(language, catalogue[language][key], values).map((piece, at) => (
      // The index can be the key, because the pieces of a message never change their order.
      <Fragment key={at}>{piece}</Fragment>
    ))
  // The cast is safe, because the overloads check the placeholders of each key.
  return Object.assign(translate, { rich }) as unknown as Translate<English>
}

/**
 * Returns the function that translates: `const t = useMessages(boardMessages)`, then `t('title')` or `t('more', { n: 3
 * })`.
 */
export function useMessages<English extends Readonly<Record<string, Message>>>(
  catalogue: Catalogue<English>,
): Translate<English> {
  const language = useLanguage()
  return useMemo(() => translator(catalogue, language), [catalogue, language])
}
