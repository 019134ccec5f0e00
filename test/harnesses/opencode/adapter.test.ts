import { expect, test } from 'vitest'
import { adapter as opencode } from '../../../src/harnesses/opencode/adapter.ts'
import { jobFor } from '../job.ts'
import { summaryOf, kindsIn, linesOf } from '../recordings.ts'

const configOf = (agent: Parameters<typeof jobFor>[1]): unknown =>
  JSON.parse(opencode.launch(jobFor('opencode', agent)).env?.['OPENCODE_CONFIG_CONTENT'] ?? '')

test('its tools and permissions are a configuration of this run', () => {
  const { mcp } = jobFor('opencode').directory
  expect(configOf({})).toMatchObject({
    share: 'disabled',
    permission: { edit: 'allow', bash: 'deny' },
    mcp: { muster: { type: 'local', command: ['/bin/node', '/lib/mcp.js', 'worker', mcp] } },
  })
  expect(configOf({ permissions: 'read' })).toMatchObject({ permission: { edit: 'deny', bash: 'deny' } })
  expect(configOf({ permissions: 'full' })).toMatchObject({ permission: { edit: 'allow', bash: 'allow' } })
})

test('model, provider and effort', () => {
  const argv = (agent: Parameters<typeof jobFor>[1]) =>
    opencode.launch(jobFor('opencode', agent)).argv.slice(1).join(' ')
  expect(argv({ model: 'kimi', provider: 'moon', effort: 'high' })).toContain('--model moon/kimi --variant high')
  expect(argv({ model: 'moon/kimi' })).toContain('--model moon/kimi')
})

test('a later turn goes on in the session', () => {
  const launch = opencode.resume(jobFor('opencode'), { message: 'go on', session: 'ses_1' })
  expect(launch?.argv.join(' ')).toContain('--session ses_1')
})

test('work that is done: session, words, tools and what each step cost', () => {
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

test('a limit that it tries to outwait is found in its log', () => {
  const first = linesOf('opencode/rate-limited').find((line) => line.includes('stream error')) ?? ''
  expect(opencode.readLine?.(first)).toMatchObject([
    { kind: 'waits', failure: { kind: 'rate_limited', message: 'AI_APICallError: Rate limit reached' } },
  ])
  expect(opencode.readLine?.(first.replace('Rate limit reached', 'socket hang up'))).toEqual([])
  // The model that only finds a title for the session may have a limit of its own.
  expect(opencode.readLine?.(first.replace('small=false', 'small=true'))).toEqual([])
})

test('a conversation that was too long is shortened, and what is told to the model then is not said by the agent', () => {
  const { lastMessage: said, session } = summaryOf(opencode, 'opencode/overflow')
  expect(said).toBe('all done')
  expect(session).toMatch(/^ses_/)
  const synthetic = linesOf('opencode/overflow').filter((line) => line.includes('"synthetic":true'))
  expect(synthetic).not.toEqual([])
  for (const line of synthetic) expect(opencode.readLine?.(line)).toMatchObject([{ kind: 'session' }])
})

test('how often it was shortened to no use is counted until something is done', () => {
  expect(summaryOf(opencode, 'opencode/overflow-for-ever').overflows).toBeGreaterThanOrEqual(5)
  expect(summaryOf(opencode, 'opencode/overflow').overflows).toBe(0)
})

test('what it calls unexpected is told as its log tells it', () => {
  expect(summaryOf(opencode, 'opencode/unknown-model').failure).toMatchObject({
    message: 'ProviderModelNotFoundError: Model not found: scripted/nothing.',
  })
})

test('a limit ends it after its own retries, with or without a time', () => {
  expect(summaryOf(opencode, 'opencode/rate-limited')).toMatchObject({
    failure: { kind: 'rate_limited', retryAt: null },
    waits: null,
    hasAnswered: false,
  })
  const { failure } = summaryOf(opencode, 'opencode/rate-limited-until')
  expect(failure?.kind).toBe('rate_limited')
  expect(failure?.retryAt).toBeGreaterThan(Date.now())
})

test('a key that is refused, and any other failure', () => {
  expect(summaryOf(opencode, 'opencode/auth').failure).toMatchObject({ kind: 'auth' })
  expect(summaryOf(opencode, 'opencode/failure').failure).toMatchObject({
    kind: 'other',
    message: expect.stringContaining('the request is not valid'),
  })
})
