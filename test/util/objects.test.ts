import { expect, test } from 'vitest'
import { overlay } from '../../src/util/objects.ts'

class Counter {
  #count = 0
  add(by: number): number {
    return (this.#count += by)
  }
  twice(): number {
    return this.#count * 2
  }
}

test('an overlay replaces one method, and the other methods are those of the original', () => {
  const original = new Counter()
  const changed = overlay(original, { add: (by) => original.add(by * 10) })
  expect(changed.add(2)).toBe(20)
  expect(changed.twice()).toBe(40)
})
