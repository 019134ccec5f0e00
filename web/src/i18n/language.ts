/** The language of the interface: the person's choice, or the first language of the browser that has messages here. */
import { makeValue } from '../app-state/value.ts'

export const LANGUAGES = ['en', 'ko', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

/** The names of the languages. Each name is in its own language, so that a person recognises it. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', ko: '한국어', zh: '简体中文' }

/** Returns the value of the `lang` attribute, which affects fonts and line breaks. */
export const tagOf = (language: Language): string => (language === 'zh' ? 'zh-Hans' : language)

export const isLanguage = (text: unknown): text is Language => LANGUAGES.some((known) => known === text)

/** Returns the first preferred language that has messages. */
export function preferredLanguage(preferred: readonly string[]): Language {
  return preferred.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en'
}

const KEY = 'muster-language'

const stored = (): Language | null => {
  const found = localStorage.getItem(KEY)
  return isLanguage(found) ? found : null
}

export const languageValue = makeValue<Language>('en')

function apply(language: Language): void {
  document.documentElement.lang = tagOf(language)
  languageValue.set(language)
}

/** Applies the stored language, and follows changes in other tabs. */
export function startLanguage(): void {
  apply(stored() ?? preferredLanguage(navigator.languages))
  addEventListener('storage', ({ key }) => {
    if (key === KEY) apply(stored() ?? preferredLanguage(navigator.languages))
  })
}

export function chooseLanguage(language: Language): void {
  localStorage.setItem(KEY, language)
  apply(language)
}
