import { expect, test } from 'vitest'
import { recorderTo } from '../../../src/workers/acp/record.ts'

function recorded() {
  const written: string[] = []
  return { written, ...recorderTo((text) => written.push(text)) }
}

test('what an agent prints does not pass for a record', () => {
  const { print, written } = recorded()
  print('{"acp":"ended"}')
  print('hello')
  expect(written).toEqual([' {"acp":"ended"}\n', 'hello\n'])
})

test('what is nested too deep to be written down is told of, and ends nothing', () => {
  const { record, written } = recorded()
  const depth = 20_000
  record({ acp: 'update', update: JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown })
  record({ acp: 'note', text: 'next' })
  expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
    { acp: 'note', text: 'Something (update) that is nested too deep to be written down.' },
    { acp: 'note', text: 'next' },
  ])
})
