import { expect, test } from 'vitest'
import { adapter as opencode } from '../../../src/harnesses/opencode/adapter.ts'
import { jobFor } from '../job.ts'
import { summaryOf, kindsIn, linesOf } from '../recordings.ts'

const configOf = (agent: Parameters<typeof jobFor>[1]): unknown =>
  JSON.parse(opencode.launch(jobFor('opencode', agent)).env?.['OPENCODE_CONFIG_CONTENT'] ?? '')

test('OpenCode gets its tools and permissions as a configuration of the run', () => {
  const { mcp } = jobFor('opencode').directory
  expect(configOf({})).toMatchObject({
    share: 'disabled',
    permission: { edit: 'allow', bash: 'deny' },
    mcp: { muster: { type: 'local', command: ['/bin/node', '/lib/mcp.js', 'worker', mcp] } },
  })
  expect(configOf({ permissions: 'read' })).toMatchObject({ permission: { edit: 'deny', bash: 'deny' } })
  expect(configOf({ permissions: 'full' })).toMatchObject({ permission: { edit: 'allow', bash: 'allow' } })
})

test('model, provider and effort become arguments', () => {
  const argv = (agent: Parameters<typeof jobFor>[1]) =>
    opencode.launch(jobFor('opencode', agent)).argv.slice(1).join(' ')
  expect(argv({ model: 'kimi', provider: 'moon', effort: 'high' })).toContain('--model moon/kimi --variant high')
  expect(argv({ model: 'moon/kimi' })).toContain('--model moon/kimi')
})

test('a later turn resumes the session', () => {
  const launch = opencode.resume(jobFor('opencode'), { message: 'go on', session: 'ses_1' })
  expect(launch?.argv.join(' ')).toContain('--session ses_1')
})

test('session, messages, tools and usage are read from a finished turn', () => {
  expect(summaryOf(opencode, 'opencode/success')).toMatchObject({
    session: expect.stringMatching(/^ses_/),
    usage: { inputTokens: 500, outputTokens: 100, costUsd: 0 },
    failure: null,
    lastMessage: 'all done',
  })
  const kinds = ['session', 'answers', 'called', 'returned', 'usage', 'said']
  expect(kindsIn(opencode, 'opencode/success')).toEqual(kinds)
  expect(summaryOf(opencode, 'opencode/nudge.2').session).toBe(summaryOf(opencode, 'opencode/nudge').session)
})

test('the wait of OpenCode for a limit is read from its log', () => {
  const first = linesOf('opencode/rate-limited').find((line) => line.includes('stream error')) ?? ''
  expect(opencode.readLine?.(first)).toMatchObject([
    { kind: 'waits', failure: { kind: 'rate_limited', message: 'AI_APICallError: Rate limit reached' } },
  ])
  expect(opencode.readLine?.(first.replace('Rate limit reached', 'socket hang up'))).toEqual([])
  // The small model, which only writes the title of the session, may have its own limit.
  expect(opencode.readLine?.(first.replace('small=false', 'small=true'))).toEqual([])
})

test('text that OpenCode itself adds after a context overflow is not a message of the agent', () => {
  const { lastMessage, session } = summaryOf(opencode, 'opencode/overflow')
  expect(lastMessage).toBe('all done')
  expect(session).toMatch(/^ses_/)
  const synthetic = linesOf('opencode/overflow').filter((line) => line.includes('"synthetic":true'))
  expect(synthetic).not.toEqual([])
  for (const line of synthetic) expect(opencode.readLine?.(line)).toMatchObject([{ kind: 'session' }])
})

test('a tool call resets the count of context overflows', () => {
  expect(summaryOf(opencode, 'opencode/overflow-for-ever').overflows).toBeGreaterThanOrEqual(5)
  expect(summaryOf(opencode, 'opencode/overflow').overflows).toBe(0)
})

test('an unexpected error gets its message from the log of OpenCode', () => {
  expect(summaryOf(opencode, 'opencode/unknown-model').failure).toMatchObject({
    message: 'ProviderModelNotFoundError: Model not found: scripted/nothing.',
  })
})

test('a limit that remains after all retries is a failure, with the retry time if known', () => {
  expect(summaryOf(opencode, 'opencode/rate-limited')).toMatchObject({
    failure: { kind: 'rate_limited', retryAt: null },
    waits: null,
    hasAnswered: false,
  })
  const { failure } = summaryOf(opencode, 'opencode/rate-limited-until')
  expect(failure?.kind).toBe('rate_limited')
  expect(failure?.retryAt).toBeGreaterThan(Date.now())
})

test('a refused key is an authentication failure, but an invalid request is not', () => {
  expect(summaryOf(opencode, 'opencode/auth').failure).toMatchObject({ kind: 'auth' })
  expect(summaryOf(opencode, 'opencode/failure').failure).toMatchObject({
    kind: 'other',
    message: expect.stringContaining('the request is not valid'),
  })
})
