/** Tests that a search returns exactly the cards that contain the text, with or without the index. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { TaskFilter, TaskView } from '../../src/storage/store.ts'
import { card, commentOf, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

/**
 * The number of cards at the start of the list that match nothing: more than a search reads before it uses its index.
 */
const FILLERS = 1_050
/** The size in bytes above which the index does not contain a text. */
const INDEXED_BYTES = 16_384

const HALF_CHARACTER = /[\uD800-\uDFFF]/u

const fold = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
/** Returns the cards of a list with their bodies, which lists leave out. */
const cardsOf = async ({ store }: Desk, filter: TaskFilter): Promise<TaskView[]> => {
  const listed = await store.tasks('main', filter)
  const cards = await Promise.all(listed.map(({ id }) => store.task('main', id)))
  return cards.filter((each) => each !== null)
}

const contains = ({ title, body }: Pick<TaskView, 'title' | 'body'>, word: string): boolean =>
  [title, body ?? ''].some((text) => fold(text).includes(fold(word)))

const UNITS = [
  'a',
  'b',
  'A',
  'B',
  'n',
  '7',
  ' ',
  '%',
  '_',
  '\\',
  '"',
  "'",
  '*',
  '-',
  '(',
  'é',
  'É',
  'ß',
  'İ',
  '日',
  '😀',
]
const words = fc.string({ unit: fc.constantFrom(...UNITS), minLength: 1, maxLength: 12 })
const bodies = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 5, arbitrary: words },
  { weight: 1, arbitrary: words.map((word) => `${word}\n${'y '.repeat(INDEXED_BYTES / 2)}${word}`) },
  { weight: 1, arbitrary: words.map((word) => `${word}\n${'y '.repeat(INDEXED_BYTES / 2 - 40)}${word}`) },
)

type Step =
  | { readonly act: 'create' | 'edit'; readonly at: number; readonly title: string; readonly body: string | null }
  | { readonly act: 'archive' | 'unarchive' | 'delete' | 'undelete'; readonly at: number }

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom('create', 'create', 'edit'),
      at: fc.nat(9),
      title: words.map((word) => `T${word}.`),
      body: bodies,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constantFrom('archive', 'unarchive', 'delete', 'undelete'),
      at: fc.nat(9),
    }),
  },
)

/** Generates a part of the text of a card, or a random word. */
const wanted = fc.record({ word: words, from: fc.nat(40), length: fc.integer({ min: 1, max: 8 }), source: fc.nat(20) })

describeStores('a search', (open) => {
  it('a search returns the same cards as a comparison of every card', async () => {
    const desk = await filled(await Desk.open(await open()))
    let made = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { maxLength: 12 }),
        fc.array(wanted, { minLength: 4, maxLength: 6 }),
        async (all, asked) => {
          const ids: TaskId[] = []
          for (const step of all) await take(step, ids)
          const lists = [
            { filter: { archived: false }, cards: await cardsOf(desk, { archived: false }) },
            {
              filter: { archived: true, sort: 'created' },
              cards: await cardsOf(desk, { archived: true, sort: 'created' }),
            },
          ] as const
          const texts = lists[1].cards.slice(FILLERS).flatMap(({ title, body }) => [title, body ?? ''])
          for (const { word, from, length, source } of asked) {
            const part = texts[source % (texts.length + 1)]?.slice(from, from + length) ?? ''
            const text = part === '' || HALF_CHARACTER.test(part) ? word : part
            for (const { filter, cards } of lists) {
              const ids = cards.filter((each) => contains(each, text)).map(({ id }) => id)
              const atOnce = await desk.store.tasks('main', { ...filter, text })
              expect([text, atOnce.map(({ id }) => id)]).toEqual([text, ids])
              expect([text, await inPages(desk, { ...filter, text }, 3)]).toEqual([text, ids])
            }
          }
        },
      ),
      { numRuns: 12 },
    )

    async function take(step: Step, ids: TaskId[]): Promise<void> {
      const id = ids[step.at % Math.max(1, ids.length)]
      if (step.act === 'create') {
        made += 1
        const { title, body } = step
        ids.push(await desk.card(`x${made}`, body === null ? { title } : { title, body }))
      } else if (id === undefined) return
      // Some of these commands are refused, because the card is in the trash or not archived.
      else if (step.act === 'edit') await desk.do('edit', { task: id, set: { title: step.title, body: step.body } })
      else await desk.do(step.act, { task: id })
    }
  })

  it('a search finds a word in a text that is too long for the index', async () => {
    const desk = await filled(await Desk.open(await open()))
    const long = 'y '.repeat(INDEXED_BYTES)
    await desk.card('a', { title: 'Long', body: `${long} needle` })
    await desk.card('b', { title: 'Short', body: 'a needle' })
    const found = async () => (await desk.store.tasks('main', { text: 'needle', limit: 5 })).map(({ title }) => title)
    expect((await found()).toSorted()).toEqual(['Long', 'Short'])
    await desk.ok('edit', { task: card('a'), set: { body: 'needle' } })
    await desk.ok('edit', { task: card('b'), set: { body: `needle ${long}` } })
    expect((await found()).toSorted()).toEqual(['Long', 'Short'])
    for (const id of [card('a'), card('b')]) await desk.ok('edit', { task: id, set: { body: 'hay' } })
    expect(await found()).toEqual([])
  })

  it('a search finds words in comments and results, and follows their changes', async () => {
    const desk = await filled(await Desk.open(await open()))
    const found = async (text: string, filter: TaskFilter = { limit: 5 }) =>
      (await desk.store.tasks('main', { ...filter, text })).map(({ id }) => id)
    for (const name of ['a', 'b', 'c', 'd']) await desk.card(name, { title: 'plain' })
    await desk.ok('comment', { task: card('a'), id: commentOf('one'), body: 'See the Needle in 100%_ of it.' })
    await desk.ok('comment', { task: card('a'), id: commentOf('two'), body: 'another needle' })
    await desk.ok('complete', { task: card('b'), runId: runOf('b'), result: 'The needle is found.' })
    await desk.ok('comment', { task: card('c'), id: commentOf('long'), body: `${'y '.repeat(INDEXED_BYTES)} needle` })
    for (const filter of [{ limit: 5 }, { sort: 'created' }, { archived: true }] as const)
      expect((await found('needle', filter)).toSorted()).toEqual([card('a'), card('b'), card('c')])
    expect(await inPages(desk, { text: 'needle' }, 1)).toHaveLength(3)
    expect(await found('100%_ OF')).toEqual([card('a')])
    await desk.ok('amend', { task: card('b'), result: 'Only hay.' })
    expect((await found('needle')).toSorted()).toEqual([card('a'), card('c')])
    expect(await found('only hay')).toEqual([card('b')])
    await desk.ok('reopen', { task: card('b') })
    await desk.ok('delete', { task: card('a') })
    expect(await found('needle')).toEqual([card('c')])
  })

  it('a search finds all matches even beyond the limit of the index', async () => {
    const desk = await filled(await Desk.open(await open()))
    const many = Array.from({ length: 2_100 }, (_, at) => ({ id: card(`m${at}`), title: `needle ${at}` }))
    for (let at = 0; at < many.length; at += 500) await desk.ok('create', { cards: many.slice(at, at + 500) })
    const ids = many.map(({ id }) => id)
    const found = async (filter: TaskFilter) =>
      (await desk.store.tasks('main', { sort: 'created', ...filter })).map(({ id }) => id)
    expect((await found({ text: 'NEEDLE' })).toSorted()).toEqual(ids.toSorted())
    expect(await found({ text: 'needle', limit: 5 })).toEqual((await found({ text: 'needle' })).slice(0, 5))
    expect(await found({ text: 'needle 1999', limit: 5 })).toEqual([card('m1999')])
  })
})

async function filled(desk: Desk): Promise<Desk> {
  const fillers = Array.from({ length: FILLERS }, (_, at) => ({ id: card(`f${at}`), title: 'zzz', priority: 9 }))
  for (let at = 0; at < FILLERS; at += 350) await desk.ok('create', { cards: fillers.slice(at, at + 350) })
  await desk.test.pass(2)
  return desk
}

async function inPages(desk: Desk, filter: TaskFilter, limit: number): Promise<TaskId[]> {
  const seen: TaskId[] = []
  for (;;) {
    const after = seen.at(-1)
    const page = await desk.store.tasks('main', { ...filter, limit, ...(after === undefined ? {} : { after }) })
    seen.push(...page.map(({ id }) => id))
    if (page.length < limit) return seen
  }
}
