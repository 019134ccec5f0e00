import { expect, test } from 'vitest'
import { LANGUAGES } from '../../web/src/i18n/language.ts'
import type { Catalogue, Message } from '../../web/src/i18n/messages.ts'

type Any = Catalogue<Readonly<Record<string, Message>>>

const files = import.meta.glob<Readonly<Record<string, unknown>>>('../../web/src/**/{messages,*-messages}.ts', {
  eager: true,
})
const isCatalogue = (value: unknown): value is Any => typeof value === 'object' && value !== null && 'zh' in value
const catalogues = Object.entries(files).flatMap(([file, exported]) =>
  Object.values(exported)
    .filter(isCatalogue)
    .map((catalogue) => [file, catalogue] as const),
)

const formsOf = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message)
const namesIn = (message: Message): ReadonlySet<string> =>
  new Set(formsOf(message).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)))

test('the test finds the message catalogues of all screens', () => {
  expect(catalogues.length).toBeGreaterThan(10)
})

test.each(catalogues)('the catalogue %s uses only placeholders of the English messages', (_, catalogue) => {
  for (const language of LANGUAGES)
    for (const [key, message] of Object.entries(catalogue[language])) {
      const known = new Set([...namesIn(catalogue.en[key] ?? ''), 'n'])
      expect([language, key, [...namesIn(message)].filter((name) => !known.has(name))]).toEqual([language, key, []])
    }
})

test.each(catalogues)('the catalogue %s has no empty message', (_, catalogue) => {
  const texts = LANGUAGES.flatMap((language) => Object.values(catalogue[language]).flatMap(formsOf))
  expect(texts.filter((text) => text.trim() === '')).toEqual([])
})

/** Actions and states that several screens name. */
const SHARED = [
  'Answer',
  'Answer or approve',
  'Your answer',
  'Send answer',
  'Assign…',
  'Unassigned',
  'Hold',
  'Release',
  'Unblock',
  'Request changes',
  'Request changes…',
  'Resume',
  'Time limit',
  'Transcript',
  'Undo',
  'Upload again',
  'View changes',
]

test.each(SHARED)('all screens use one translation of “%s”', (english) => {
  for (const language of LANGUAGES) {
    const used = catalogues.flatMap(([, catalogue]) =>
      Object.entries(catalogue.en).flatMap(([key, text]) =>
        text === english ? formsOf(catalogue[language][key] ?? '') : [],
      ),
    )
    expect([language, [...new Set(used)]]).toEqual([language, [used[0]]])
  }
})
