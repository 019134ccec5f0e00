// Tests the key presses that are read from the text of a terminal, and the text field that receives them.
import { describe, expect, test } from 'vitest'
import { widthOf } from '../../../src/cli/render/width.ts'
import { editField, fieldWith, showField, textOf } from '../../../src/cli/watch/editor.ts'
import type { Field } from '../../../src/cli/watch/editor.ts'
import { KeyReader } from '../../../src/cli/watch/keys.ts'
import type { Key } from '../../../src/cli/watch/keys.ts'

const namesOf = (keys: readonly Key[]) => keys.map((key) => (key.kind === 'named' ? key.name : key.text))

describe('reading keys', () => {
  test.each([
    ['jk', ['j', 'k']],
    ['\u001b[A\u001b[B\u001b[C\u001b[D', ['up', 'down', 'right', 'left']],
    ['\u001bOA\u001bOH', ['up', 'home']],
    ['\u001b[5~\u001b[6~\u001b[1~\u001b[4~\u001b[3~', ['page_up', 'page_down', 'home', 'end', 'delete']],
    ['\u001b[1;5C\u001b[Z\t', ['right', 'back_tab', 'tab']],
    ['\r\u007f\u0003\u001a\u000c', ['enter', 'backspace', 'interrupt', 'suspend', 'redraw']],
    ['한글 字😀', ['한', '글', ' ', '字', '😀']],
    ['\u001b[99X\u0002x', ['x']],
    ['\u001b\u001b[A', ['escape', 'up']],
    ['\u001b[200~two\nlines\u001b[201~q', ['two\nlines', 'q']],
  ])('the terminal text %j is read as the right keys', (text, names) => {
    expect(namesOf(new KeyReader().take(text))).toEqual(names)
  })

  test('a sequence that arrives in pieces is one key', () => {
    const reader = new KeyReader()
    expect(namesOf(['\u001b', '[', 'A'].flatMap((piece) => reader.take(piece)))).toEqual(['up'])
    expect(reader.isWaiting).toBe(false)
  })

  test('an Escape without a following character is the Escape key', () => {
    const reader = new KeyReader()
    expect(reader.take('\u001b')).toEqual([])
    expect(reader.isWaiting).toBe(true)
    expect(namesOf(reader.flush())).toEqual(['escape'])
    expect(reader.flush()).toEqual([])
  })

  test('pasted text waits for its end and has no other keys', () => {
    const reader = new KeyReader()
    expect(reader.take('\u001b[200~rm -rf\r')).toEqual([])
    expect([reader.isWaiting, reader.flush()]).toEqual([false, []])
    expect(reader.take('\u001b[201~')).toEqual([{ kind: 'paste', text: 'rm -rf\r' }])
  })
})

const typed = (text: string): readonly Key[] => new KeyReader().take(text)
const after = (field: Field, keys: readonly Key[]): Field =>
  keys.reduce((current, key) => editField(current, key) ?? current, field)

describe('a text field', () => {
  test.each([
    ['abc\u001b[D\u007fx', 'axc'],
    ['포트는 8080\u0017입니다', '포트는 입니다'],
    ['one two\u0015three', 'three'],
    ['한국\u007f', '한'],
    ['👨‍👩‍👧!\u001b[D\u007f', '!'],
    ['\u001b[200~two\n lines\u001b[201~', 'two lines'],
    ['ab\u001b[H\u001b[3~', 'b'],
  ])('typing %j leaves %j', (keys, text) => {
    expect(textOf(after(fieldWith(''), typed(keys)))).toBe(text)
  })

  test('the parts of a Korean letter are joined into one letter', () => {
    const field = after(fieldWith(''), typed('\u1112\u1161\u11ab'))
    expect(field.cursor).toBe(1)
    expect(textOf(after(field, typed('\u007f')))).toBe('')
  })

  test('the cursor is where an input method shows its letters', () => {
    expect(showField(fieldWith('8080 사용'), 20)).toEqual({ text: '8080 사용', column: 9 })
    expect(showField(after(fieldWith('한국어'), typed('\u001b[D')), 20)).toEqual({ text: '한국어', column: 4 })
  })

  test.each([4, 7, 10])('a long text is cut to %i columns around the cursor', (width) => {
    for (const back of [0, 3, 12]) {
      const { text, column } = showField(
        after(fieldWith('길고 긴 대답을 여기에 씁니다'), typed('\u001b[D'.repeat(back))),
        width,
      )
      expect(text).not.toBe('')
      expect(widthOf(text)).toBeLessThanOrEqual(width)
      expect(column).toBeLessThan(width)
    }
  })

  test('control and hidden characters are shown as codes', () => {
    expect(showField(fieldWith('a\u202eb'), 20).text).toBe(String.raw`a\u202eb`)
  })
})
