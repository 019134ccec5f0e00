import { expect, test } from 'vitest'
import type { AcpRecord } from '../../../src/harnesses/acp/record.ts'
import { adapter as acp } from '../../../src/harnesses/acp/adapter.ts'
import { EMPTY_SUMMARY, addEntry } from '../../../src/harnesses/stream/turn-summary.ts'
import { jobFor } from '../job.ts'
import { entriesOf, linesOf as recorded } from '../recordings.ts'

const linesOf = (...records: readonly AcpRecord[]) => records.map((record) => JSON.stringify(record))
const summaryOf = (...records: readonly AcpRecord[]) =>
  entriesOf(acp, linesOf(...records)).reduce(addEntry, EMPTY_SUMMARY)

const update = (given: object): AcpRecord => ({ acp: 'update', update: given })
const chunk = (text: string) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
const ended = (answer: object, costUsd: number | null = null): AcpRecord => ({ acp: 'ended', costUsd, answer })

test('the ACP client gets its job as the path of a file', () => {
  const job = jobFor('speaker', { args: ['speaker', '--acp'], model: 'large', permissions: 'read' })
  const { argv, files, stdin, env } = acp.launch(job)
  expect(argv).toEqual(['/bin/node', '/lib/acp.js', '/runs/a/acp.json'])
  expect(stdin).toBeNull()
  expect(env).toBeUndefined()
  const written = files.find(({ path }) => path === '/runs/a/acp.json')
  expect(JSON.parse(written?.content ?? '')).toMatchObject({
    program: expect.stringMatching(/\/speaker$/),
    args: ['--acp'],
    workspace: '/work/space',
    briefing: '/runs/a/briefing.md',
    tools: { command: '/bin/node', args: ['/lib/mcp.js', 'worker', '/runs/a/mcp.json'] },
    permissions: 'read',
    model: 'large',
    session: null,
  })
  expect(written?.content).not.toContain('secret')
  expect(files.find(({ path }) => path === '/runs/a/briefing.md')?.content).toBe('what to do')
})

test('a later turn resumes the session if the run has one', () => {
  const job = jobFor('speaker', { args: ['speaker'] })
  expect(acp.resume(job, { message: 'again', session: null })).toBeNull()
  const files = acp.resume(job, { message: 'again', session: 's-1' })?.files ?? []
  expect(files.map(({ content }) => content)).toEqual(
    expect.arrayContaining(['again', expect.stringContaining('"session": "s-1"')]),
  )
})

test('OpenCode acts without asking, so it gets permission rules in its configuration', () => {
  const rules = (permissions: 'read' | 'edit' | 'full') => {
    const { env } = acp.launch(jobFor('opencode', { args: ['opencode', 'acp'], permissions }))
    return JSON.parse(env?.['OPENCODE_CONFIG_CONTENT'] ?? '') as unknown
  }
  expect(rules('read')).toMatchObject({ permission: { edit: 'deny', bash: 'deny' } })
  expect(rules('edit')).toMatchObject({ permission: { edit: 'allow', bash: 'deny' } })
  expect(rules('full')).toMatchObject({ permission: { edit: 'allow', bash: 'allow' } })
})

test('session, messages, tools, files and tokens are read from a finished turn', () => {
  const call = { sessionUpdate: 'tool_call_update', toolCallId: '1' }
  const records: AcpRecord[] = [
    { acp: 'agent', answer: { protocolVersion: 1 } },
    { acp: 'session', id: 's-1', isKept: true, by: 'session/new', answer: {} },
    chunk('Half a '),
    chunk('sentence.'),
    { acp: 'update', called: { tool: 'edit', input: { path: 'a' } }, update: call },
    { acp: 'update', returned: { ok: true, text: 'done', changed: ['/w/a'] }, update: call },
    ended({ stopReason: 'end_turn', usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 } }, 0.5),
  ]
  expect(entriesOf(acp, linesOf(...records))).toEqual([
    { kind: 'session', id: 's-1' },
    { kind: 'said', text: 'Half a ', isContinuation: true },
    { kind: 'said', text: 'sentence.', isContinuation: true },
    { kind: 'called', tool: 'edit', input: { path: 'a' }, call: '1' },
    { kind: 'returned', ok: true, text: 'done', call: '1' },
    { kind: 'changed', path: '/w/a' },
    { kind: 'usage', of: 'turn', usage: { inputTokens: 10, outputTokens: 2, costUsd: 0.5 } },
  ])
  expect(summaryOf(...records)).toMatchObject({ session: 's-1', lastMessage: 'Half a sentence.', failure: null })
})

test('the id of a session that cannot be resumed is not stored', () => {
  expect(summaryOf({ acp: 'session', id: 's-1', isKept: false, by: 'session/new', answer: {} }).session).toBeNull()
})

test('history and unknown records in the output are ignored', () => {
  const before = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'long ago' } }
  expect(summaryOf({ acp: 'update', isHistory: true, update: before })).toEqual(EMPTY_SUMMARY)
  expect(summaryOf(update({ sessionUpdate: 'news_from_tomorrow' }), update({}))).toEqual(EMPTY_SUMMARY)
  const odd = ['plain words', '{"acp":"update"}', '{"acp":"ended"', '{"acp":7}', '{}', '[1]']
  expect(odd.flatMap((line) => acp.readLine?.(line) ?? [])).toEqual([])
})

test.each([
  [
    'counted separately',
    { inputTokens: 1, outputTokens: 2, cachedReadTokens: 10, thoughtTokens: 5, totalTokens: 18 },
    [11, 7],
  ],
  [
    'included in the rest',
    { inputTokens: 11, outputTokens: 7, cachedReadTokens: 10, thoughtTokens: 5, totalTokens: 18 },
    [11, 7],
  ],
])('cached and thought tokens that are %s are counted once', (_, usage, [inputTokens, outputTokens]) => {
  expect(summaryOf(ended({ stopReason: 'end_turn', usage })).usage).toMatchObject({ inputTokens, outputTokens })
})

test('tokens of Gemini CLI are read from the field that Gemini CLI uses', () => {
  const quota = { token_count: { input_tokens: 300, output_tokens: 60 } }
  const { usage } = summaryOf(ended({ stopReason: 'end_turn', _meta: { quota } }))
  expect(usage).toEqual({ inputTokens: 300, outputTokens: 60, costUsd: null })
})

test.each([
  [{ code: -32000, message: 'Authentication required' }, 'auth'],
  [{ code: 401, message: 'no' }, 'auth'],
  [{ code: 429, message: 'Resource exhausted' }, 'rate_limited'],
  [{ code: -32603, message: 'Internal error: Rate limit reached' }, 'rate_limited'],
  [{ code: -32603, message: 'no', data: { statusCode: 503 } }, 'rate_limited'],
  [{ code: -32603, message: 'no', data: { status: 402 } }, 'billing'],
  [{ code: -32603, message: 'prompt is too long' }, 'context_overflow'],
  [{ code: -32603, message: 'the request is not valid' }, 'other'],
  // A message without a code comes from Muster, so it is not searched for numbers such as 429.
  [{ message: 'The agent ended (exit 3) before it answered session/prompt. It printed: 429' }, 'other'],
])('the error %j is classified as %s', (error, kind) => {
  expect(summaryOf({ acp: 'failed', during: 'session/prompt', ...error }).failure).toMatchObject({
    kind,
    message: error.message,
  })
})

test.each([
  ['Rate limit reached, try again in 2 hours', undefined, 7_200_000],
  ['Rate limit reached', { details: [{ retryDelay: '31s' }] }, 31_000],
  ['Rate limit reached', { retryAfter: 90 }, 90_000],
])('the retry time is found in "%s" with data %j', (message, data, ms) => {
  const before = Date.now()
  const { failure } = summaryOf({ acp: 'failed', during: 'session/prompt', code: -32603, message, data })
  expect(failure?.retryAt).toBeGreaterThanOrEqual(before + ms)
  expect(failure?.retryAt).toBeLessThan(before + ms + 60_000)
})

test.each([
  ['max_turn_requests', 'turn_limit'],
  ['max_tokens', 'context_overflow'],
  ['refusal', 'other'],
  ['cancelled', 'other'],
])('a turn that ends with %s is classified as %s', (stopReason, kind) => {
  expect(summaryOf(ended({ stopReason })).failure?.kind).toBe(kind)
})

test('a limit in the log of OpenCode is reported as a wait', () => {
  const line = recorded('opencode/rate-limited').find((one) => one.includes('stream error')) ?? ''
  expect(acp.readLine?.(line)).toMatchObject([
    { kind: 'waits', failure: { kind: 'rate_limited', message: 'AI_APICallError: Rate limit reached' } },
  ])
})

test('a context overflow in the log of OpenCode is reported', () => {
  const line = recorded('opencode/overflow').find((one) => one.includes('stream error')) ?? ''
  expect(acp.readLine?.(line)).toMatchObject([{ kind: 'failed', failure: { kind: 'context_overflow' } }])
})

test('OpenCode gets the flags that print its log', () => {
  const { files } = acp.launch(jobFor('opencode', { args: ['opencode', 'acp'] }))
  const written = files.find(({ path }) => path.endsWith('acp.json'))?.content ?? ''
  expect(JSON.parse(written)).toMatchObject({ args: ['acp', '--print-logs', '--log-level', 'ERROR'] })
})

test.each([
  ['Internal error: Insufficient credits. Add more in your settings', 'billing'],
  ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 'context_overflow'],
])('the message "%s" is classified as %s', (message, kind) => {
  expect(summaryOf({ acp: 'failed', during: 'session/prompt', message, code: -32_603 }).failure).toMatchObject({ kind })
})
