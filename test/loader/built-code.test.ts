import { expect, test } from 'vitest'
import { keptUnder, markOf } from '../../src/loader/built-code.ts'

const code = Buffer.from('/* one */({ /* more */ })')

test('built code begins with a comment that marks its build', () => {
  expect(markOf(code).toString()).toBe('/* one */')
})

test('compiled code is used only if it begins with the mark of the build', () => {
  const mark = markOf(code)
  expect(keptUnder(mark, Buffer.from('/* one */compiled'))?.toString()).toBe('compiled')
  expect(keptUnder(mark, Buffer.from('/* two */compiled'))).toBeUndefined()
  expect(keptUnder(mark, Buffer.from('/* on'))).toBeUndefined()
  expect(keptUnder(mark, undefined)).toBeUndefined()
})
