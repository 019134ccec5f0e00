import { expect, it } from 'vitest'
import type { VerbName } from '../../src/core/transitions/index.ts'
import { VERBS } from '../../src/core/transitions/index.ts'
import { card, person, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'
import { INPUTS, FREE_TEXT } from './inputs.ts'

/** Yields copies of an input, each with the text `bad` in one of its free-text fields. */
function* withBadText(input: unknown, bad: string, path = ''): Generator<readonly [path: string, input: unknown]> {
  if (typeof input === 'string' && input.includes(FREE_TEXT)) yield [path, input.replace(FREE_TEXT, bad)]
  if (typeof input !== 'object' || input === null) return
  for (const [key, value] of Object.entries(input))
    for (const [at, changed] of withBadText(value, bad, path === '' ? key : `${path}.${key}`))
      yield [at, Array.isArray(input) ? input.with(Number(key), changed) : { ...input, [key]: changed }]
}

describeStores(
  'text',
  (open) => {
    it('a NUL or lone surrogate in any text field is refused', async () => {
      const desk = await Desk.open(await open())
      await desk.card('a')
      const before = await desk.store.exportAll()
      for (const verb of Object.keys(VERBS) as VerbName[])
        for (const bad of ['a\0b', '\uD800', 'x\uDC00y'])
          for (const [path, input] of withBadText(INPUTS[verb], bad)) {
            const code = await desk.refused(verb, input as never, person).catch((error: unknown) => String(error))
            expect([`${verb} ${path}`, code]).toEqual([`${verb} ${path}`, 'bad_text'])
          }
      expect(await desk.store.exportAll()).toEqual(before)
    })

    it('the output of an ended run is stored without invalid characters', async () => {
      const desk = await Desk.open(await open())
      await desk.card('a')
      const claimed = await desk.run(card('a'))
      const ending = { how: 'exited', exitCode: 1, error: 'a\0b \uD800' } as const
      await desk.settle(claimed, { ending, lastOutput: '\uDC00' })
      expect(await desk.store.run(claimed.runId)).toMatchObject({ outcome: 'crashed', error: 'ab \uFFFD' })
    })

    it('text without a NUL or lone surrogate is stored unchanged', async () => {
      const desk = await Desk.open(await open())
      const texts = [
        '\u0001\u001f\u007f control',
        "Robert'); drop table task;--",
        '😀 👩‍👩‍👧 e\u0301 \u202e RTL \ufeff BOM',
        '   leading\r\n\ttabs\v\f   ',
        '%s %d $1 ?1 ${x} \\n \\0 \\',
        '"\'`',
        'x'.repeat(100_000),
      ]
      for (const [at, body] of texts.entries()) await desk.card(at, { body })
      const read = await Promise.all(texts.map(async (_, at) => (await desk.task(card(at))).body))
      expect(read).toEqual(texts)
    })

    it('NUL and lone surrogates in JSON values are kept', async () => {
      const desk = await Desk.open(await open())
      const metadata = { 'a\0b': ['\0', '\uD800', 'ü', null, 1.5, -0, true, { deep: [] }] }
      await desk.card('a')
      await desk.ok('complete', { task: card('a'), runId: runOf('x'), metadata })
      expect((await desk.task(card('a'))).metadata).toEqual(JSON.parse(JSON.stringify(metadata)))
    })

    it('large and small numbers are returned as numbers', async () => {
      const desk = await Desk.open(await open())
      const far = 8_640_000_000_000_000
      await desk.card('a', { scheduledAt: far, priority: -1_000_000, maxRuntimeMs: 3_000_000_000_000 })
      expect(await desk.task(card('a'))).toMatchObject({
        scheduledAt: far,
        dueAt: far,
        priority: -1_000_000,
        maxRuntimeMs: 3_000_000_000_000,
      })
      expect(await desk.store.nextDue()).toBe(far)
      for (const value of Object.values(await desk.task(card('a')))) expect(typeof value).not.toBe('bigint')
      expect(Object.values(await desk.store.counts('main')).every(Number.isInteger)).toBe(true)
      expect(typeof (await desk.store.now())).toBe('number')
    })
  },
  { inThread: true },
)
