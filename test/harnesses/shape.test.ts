import { expect, test } from 'vitest'
import { changesOf, shapeOf } from '../real-clis/shape.ts'
import { linesOf } from './recordings.ts'
import { harnessNamed } from './loaded.ts'

/** Returns the differences that `npm run test:agents` would report if the program printed the changed recording. */
function changes(recording: string, change: (text: string) => string): readonly string[] {
  const cli = harnessNamed(recording.split('/')[0] ?? '')
  const before = linesOf(recording)
  const now = change(before.join('\n'))
  return changesOf(shapeOf(cli, before), shapeOf(cli, now.split('\n')))
}

test('time, session and number of retries do not change the shape', () => {
  expect(changes('claude/success', (text) => text.replaceAll(/\d/g, '7'))).toEqual([])
  expect(changes('gemini/rate-limited', (text) => `${text}\n${text}`)).toEqual([])
  expect(changes('opencode/nudge', (text) => `a word on standard error\n${text}`)).toEqual([])
})

test('a new or missing event type is reported with its name', () => {
  expect(changes('codex/success', (text) => text.replaceAll('"command_execution"', '"shell_call"'))).toEqual(
    expect.arrayContaining([
      'the event item.completed shell_call is new',
      'the event item.completed command_execution is gone',
    ]),
  )
  expect(changes('claude/success', (text) => `${text}\n{"type":"system","subtype":"news"}`)).toEqual([
    'the event system/news is new',
  ])
})

test('a renamed field that the adapter needs is reported', () => {
  expect(changes('claude/success', (text) => text.replaceAll('"total_cost_usd"', '"cost"'))).toEqual([
    'result/success is now read as usage of inputTokens outputTokens',
    'result/success is no longer read as usage of inputTokens outputTokens costUsd',
  ])
  expect(changes('codex/auth', (text) => text.replaceAll('unexpected status 401', 'refused'))).toEqual([
    'turn.failed is now read as failed other',
    'turn.failed is no longer read as failed auth',
  ])
  expect(changes('gemini/rate-limited', (text) => text.replaceAll('failed with status', 'got'))).toEqual([
    'the event prose is gone',
  ])
})
