import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { askOncePerTurn } from '../../src/util/ask-once-per-turn.ts'

test('calls in one turn of the event loop share one later question', async () => {
  const asked: string[] = []
  const ask = askOncePerTurn(async (key: string) => `${key}${asked.push(key)}`)
  const first = [ask('a'), ask('b'), ask('a')]
  expect(asked).toEqual([])
  expect(await Promise.all(first)).toEqual(['a1', 'b2', 'a1'])
})

test('a call during a question starts another question', async () => {
  let answer: (value: number) => void = () => {}
  let questions = 0
  const ask = askOncePerTurn<string, number>(() => {
    questions += 1
    return new Promise<number>((resolve) => (answer = resolve))
  })
  const early = ask('a')
  await nextTurn()
  const finishEarly = answer
  const late = ask('a')
  await nextTurn()
  expect(questions).toBe(2)
  finishEarly(1)
  answer(2)
  expect(await Promise.all([early, late])).toEqual([1, 2])
})

test('a failed question fails only the calls that share it', async () => {
  let fails = true
  const ask = askOncePerTurn<string, string>(async () => {
    if (fails) throw new Error('no answer')
    return 'ok'
  })
  const failed = await Promise.allSettled([ask('a'), ask('a')])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await ask('a')).toBe('ok')
})
