import { expect, test } from 'vitest'
import { OrderedOutput } from '../../scripts/ordered-output.mjs'

function open() {
  const printed: string[] = []
  return { printed, output: new OrderedOutput(['first', 'second', 'third'], (text) => printed.push(text)) }
}

test('the first task prints directly', () => {
  const { printed, output } = open()
  output.write('first', 'a')
  output.write('first', 'b')
  expect(printed).toEqual(['a', 'b'])
})

test('a later task prints when the tasks before it have ended', () => {
  const { printed, output } = open()
  output.write('third', 'c')
  output.write('second', 'b')
  output.end('third')
  expect(printed).toEqual([])
  output.end('first')
  expect(printed).toEqual(['b'])
  output.write('second', 'b again')
  output.end('second')
  expect(printed).toEqual(['b', 'b again', 'c'])
})

test('an interrupted run prints everything in order', () => {
  const { printed, output } = open()
  output.write('third', 'c')
  output.write('second', 'b')
  output.endAll()
  expect(printed).toEqual(['b', 'c'])
})
