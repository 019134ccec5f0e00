import { expect, test } from 'vitest'
import { recorderTo } from '../../../src/harnesses/acp/record.ts'

function recorded() {
  const written: string[] = []
  return { written, recorder: recorderTo((text) => written.push(text)) }
}

test('text that an agent prints is never read as a record of the client', () => {
  const { recorder, written } = recorded()
  recorder.print('{"acp":"ended"}')
  recorder.print('hello')
  expect(written).toEqual([' {"acp":"ended"}\n', 'hello\n'])
})

test('a record with too many levels is replaced by a note', () => {
  const { recorder, written } = recorded()
  const depth = 20_000
  recorder.record({ acp: 'update', update: JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown })
  recorder.record({ acp: 'note', text: 'next' })
  expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
    { acp: 'note', text: 'A record (update) was left out because it is nested too deep.' },
    { acp: 'note', text: 'next' },
  ])
})
