import { expect, test } from 'vitest'
import type { Call } from '../../src/cli/call.ts'
import { makeIfMissing } from '../../src/cli/first-use.ts'
import { BoardError } from '../../src/core/errors.ts'

/** A call whose store cannot be read, and where making anything is an error of its own. */
const callThatMeets = (code: 'store_too_old' | 'store_corrupt'): Call =>
  ({
    query: () => Promise.reject(new BoardError(code, 'no')),
    get local(): never {
      throw new Error('it made something')
    },
  }) as unknown as Call

test('a store of an older Muster is there: the writing open that follows brings it forward', async () => {
  await expect(makeIfMissing(callThatMeets('store_too_old'), 'create')).resolves.toBeUndefined()
})

test('a store that is damaged is neither there nor missing', async () => {
  await expect(makeIfMissing(callThatMeets('store_corrupt'), 'up')).rejects.toMatchObject({ code: 'store_corrupt' })
})
