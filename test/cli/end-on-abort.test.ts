import { expect, test } from 'vitest'
import { endOnAbort } from '../../src/cli/end-on-abort.ts'

async function collect<T>(stream: AsyncIterable<T>, onValue: (value: T) => void = () => {}): Promise<T[]> {
  const values: T[] = []
  for await (const value of stream) {
    values.push(value)
    onValue(value)
  }
  return values
}

const never = new Promise<never>(() => {})

test('the consumer gets every value of a stream, then its error', async () => {
  async function* failing(): AsyncGenerator<number> {
    yield 1
    yield 2
    throw new Error('no disk')
  }
  const seen: number[] = []
  const collecting = collect(endOnAbort(failing(), new AbortController().signal), (value) => seen.push(value))
  await expect(collecting).rejects.toThrow('no disk')
  expect(seen).toEqual([1, 2])
})

test('an abort ends a stream that waits for its next value', async () => {
  async function* waiting(): AsyncGenerator<number> {
    yield 1
    await never
  }
  const stop = new AbortController()
  expect(await collect(endOnAbort(waiting(), stop.signal), () => stop.abort())).toEqual([1])
})

test('a stream that ends after an abort cleans up first', async () => {
  const stop = new AbortController()
  let isClean = false
  async function* polite(): AsyncGenerator<number> {
    try {
      yield 1
      if (!stop.signal.aborted) yield 2
    } finally {
      isClean = true
    }
  }
  expect(await collect(endOnAbort(polite(), stop.signal), () => stop.abort())).toEqual([1])
  expect(isClean).toBe(true)
})

test('a consumer that stops early ends the stream', async () => {
  let isClean = false
  async function* counting(): AsyncGenerator<number> {
    try {
      for (let at = 1; ; at += 1) yield at
    } finally {
      isClean = true
    }
  }
  for await (const value of endOnAbort(counting(), new AbortController().signal)) if (value === 3) break
  expect(isClean).toBe(true)
})
