import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readLimited } from '../../src/util/read-limited.ts'

test('a stream is read to its end', async () => {
  expect((await readLimited(Readable.from([Buffer.from('a'), Buffer.from('b')]), 'x')).toString()).toBe('ab')
})

test('a stream that never ends is an error', async () => {
  const endless = function* (): Generator<Buffer> {
    for (;;) yield Buffer.alloc(64 * 1024)
  }
  await expect(readLimited(Readable.from(endless()), 'Standard input')).rejects.toThrow(
    'Standard input has more than 16 MiB: give a shorter text.',
  )
})
