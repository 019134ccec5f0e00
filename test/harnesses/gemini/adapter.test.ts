import { expect, test } from 'vitest'
import { adapter as gemini } from '../../../src/harnesses/gemini/adapter.ts'
import { jobFor } from '../job.ts'
import { entriesOf, summaryOf, kindsIn, linesOf } from '../recordings.ts'

const optionsOf = (agent: Parameters<typeof jobFor>[1]): string =>
  gemini.launch(jobFor('gemini', agent)).argv.slice(1).join(' ')

test('permissions of the agent file become approval modes', () => {
  expect(optionsOf({ permissions: 'read' })).toContain('--approval-mode default')
  expect(optionsOf({ permissions: 'ask' })).toContain('--approval-mode default')
  expect(optionsOf({})).toContain('--approval-mode auto_edit')
  expect(optionsOf({ permissions: 'full', model: 'flash' })).toContain('--approval-mode yolo --model flash')
})

test('session, messages, tools and tokens are read from a finished turn', () => {
  expect(summaryOf(gemini, 'gemini/success')).toMatchObject({
    session: expect.stringMatching(/^[0-9a-f-]{36}$/),
    usage: { inputTokens: 600, outputTokens: 120, costUsd: null },
    failure: null,
    lastMessage: 'all done',
  })
  expect(kindsIn(gemini, 'gemini/success')).toEqual(['session', 'called', 'returned', 'said', 'usage'])
  expect(summaryOf(gemini, 'gemini/nudge.2').session).toBe(summaryOf(gemini, 'gemini/nudge').session)
})

test('pieces of a message are marked as continuations', () => {
  const [piece = ''] = linesOf('gemini/success').filter((line) => line.includes('"delta":true'))
  const lines = [piece.replace('all done', 'Half a '), piece.replace('all done', 'sentence.')]
  expect(entriesOf(gemini, lines)).toMatchObject([{ isContinuation: true }, { isContinuation: true }])
})

test('the wait of Gemini CLI for a limit is read from its retry messages', () => {
  const waits = (recording: string) =>
    entriesOf(gemini, linesOf(recording)).flatMap((entry) => (entry.kind === 'waits' ? [entry.failure] : []))
  const [without] = waits('gemini/rate-limited')
  expect(without).toMatchObject({ kind: 'rate_limited', retryAt: null })
  const [until] = waits('gemini/rate-limited-until')
  expect(until?.kind).toBe('rate_limited')
  expect(until?.retryAt).toBeGreaterThan(Date.now())
  expect(summaryOf(gemini, 'gemini/rate-limited').waits).not.toBeNull()
})

test.each([
  ['Attempt 2 failed with status 500. Retrying with backoff... _ApiError', 0],
  ['Attempt 2 failed with 429 error (no Retry-After header). Retrying with backoff...', 1],
  ['Attempt 3 failed: Quota exceeded. Max attempts reached', 0],
  ['I wrote: Attempt 1 failed with status 429.', 0],
])('the line "%s" reports %i waits', (line, count) => {
  expect(gemini.readLine?.(line)).toHaveLength(count)
})

test('a refused key is an authentication failure, but an invalid request is not', () => {
  expect(summaryOf(gemini, 'gemini/auth').failure).toMatchObject({ kind: 'auth' })
  expect(summaryOf(gemini, 'gemini/failure').failure).toMatchObject({
    kind: 'other',
    message: expect.stringContaining('the request is not valid'),
  })
})

test('a missing login is an authentication failure', () => {
  const line = 'Please set an Auth method in your /home/ada/.gemini/settings.json or specify one of the following'
  expect(gemini.readLine?.(line)).toMatchObject([{ kind: 'failed', failure: { kind: 'auth' } }])
})

test.each([
  ['You have exhausted your daily quota on this model.', 'rate_limited'],
  ['Maximum session turns exceeded', 'turn_limit'],
  ['[API Error: {"error":{"code":403,"details":[{"reason":"BILLING_DISABLED"}]}}]', 'billing'],
  ['[API Error: {"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]', 'auth'],
  ['Failed to login. Message: no consent', 'auth'],
  ['Cannot read src/author.ts', 'other'],
  ['EACCES: permission denied, open /srv/catalogue/authority.json', 'other'],
])('the message "%s" is classified as %s', (message, kind) => {
  const line = JSON.stringify({ type: 'result', status: 'error', error: { type: 'unknown', message } })
  expect(gemini.readLine?.(line)).toMatchObject([{ kind: 'failed', failure: { kind } }])
})

test('a turn limit in an error event is a failure, but other error events are not', () => {
  const error = (message: string) => JSON.stringify({ type: 'error', severity: 'error', message })
  expect(gemini.readLine?.(error('Maximum session turns exceeded'))).toMatchObject([
    { kind: 'failed', failure: { kind: 'turn_limit' } },
  ])
  expect(gemini.readLine?.(error('Loop detected, stopping execution'))).toEqual([])
})
