import { expect, test } from 'vitest'
import { overlay } from '../../src/util/overlay.ts'

class Counter {
  #count = 0
  add(by: number): number {
    return (this.#count += by)
  }
  twice(): number {
    return this.#count * 2
  }
}

test('what is replaced is replaced, and the rest still works on the whole', () => {
  const whole = new Counter()
  const changed = overlay(whole, { add: (by) => whole.add(by * 10) })
  expect(changed.add(2)).toBe(20)
  expect(changed.twice()).toBe(40)
})
