import { expect, test } from 'vitest'
import { titlesIn } from '../../src/cli/titles-in.ts'

test('titles are read from every kind of list', () => {
  const pasted = [
    '- one',
    '* two',
    '3. three',
    '4) four',
    '[ ] five',
    '- [ ] six',
    '',
    '   ',
    '  seven  ',
    '-',
    '- ',
  ].join('\r\n')
  expect(titlesIn(pasted)).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven'])
})

test('list markers inside a title are kept', () => {
  expect(titlesIn('-5 degrees\n2.5 mm\n*bold* text\nuse [ ] here\n1.2.3 released')).toEqual([
    '-5 degrees',
    '2.5 mm',
    '*bold* text',
    'use [ ] here',
    '1.2.3 released',
  ])
})
