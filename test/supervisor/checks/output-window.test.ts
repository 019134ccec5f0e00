import { expect, test } from 'vitest'
import { OutputWindow } from '../../../src/supervisor/checks/output-window.ts'

const windowOf = (...chunks: string[]): OutputWindow => {
  const window = new OutputWindow({ headBytes: 4, tailBytes: 6 })
  for (const chunk of chunks) window.add(Buffer.from(chunk))
  return window
}

test('short output is kept completely, in any number of chunks', () => {
  expect(windowOf('ab', 'cdef', 'ghij').text()).toBe('abcdefghij')
  expect(windowOf('äö', 'ü').text()).toBe('äöü')
  expect(windowOf().text()).toBe('')
})

test('long output keeps its beginning and its end', () => {
  const window = windowOf(...Array.from({ length: 100 }, (_, at) => `${at},`))
  expect(window.text()).toBe('0,1,\n[… 280 bytes left out …]\n98,99,')
  expect(window.leftOutBytes).toBe(280)
})

test('one large chunk is cut like many small ones', () => {
  expect(windowOf('abcdefghijklmnop').text()).toBe('abcd\n[… 6 bytes left out …]\nklmnop')
})

test('NUL is removed and invalid bytes are replaced', () => {
  const window = new OutputWindow()
  window.add(Buffer.from([0x61, 0, 0xff, 0x62]))
  expect(window.text()).toBe('a\ufffdb')
})
