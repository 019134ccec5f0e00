import { expect, test } from 'vitest'
import { keptUnder, markOf } from '../../src/loader/built-code.ts'

const code = Buffer.from('/* one */({ /* more */ })')

test('the mark of a build is the comment at the head of its code', () => {
  expect(markOf(code).toString()).toBe('/* one */')
})

test('what was kept is used for the code of the same build alone', () => {
  const mark = markOf(code)
  expect(keptUnder(mark, Buffer.from('/* one */compiled'))?.toString()).toBe('compiled')
  expect(keptUnder(mark, Buffer.from('/* two */compiled'))).toBeUndefined()
  expect(keptUnder(mark, Buffer.from('/* on'))).toBeUndefined()
  expect(keptUnder(mark, undefined)).toBeUndefined()
})
