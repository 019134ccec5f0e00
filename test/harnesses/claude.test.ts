import { expect, test } from 'vitest'
import { adapter as claude } from '../../src/harnesses/claude.ts'
import { EMPTY_SUMMARY, addEntry } from '../../src/harnesses/stream/turn-summary.ts'
import { jobFor } from './job.ts'
import { summaryOf, kindsIn } from './recordings.ts'

const optionsOf = (agent: Parameters<typeof jobFor>[1]): readonly string[] =>
  claude.launch(jobFor('claude', agent)).argv.slice(1)

test('Claude Code streams JSON and gets only the tools of its run', () => {
  expect(optionsOf({})).toEqual(
    expect.arrayContaining(['-p', '--mcp-config', jobFor('claude').directory.mcp, '--strict-mcp-config']),
  )
})

test('permissions of the agent file become permission modes', () => {
  expect(optionsOf({ permissions: 'read' }).join(' ')).toContain(
    '--disallowedTools Edit,Write,NotebookEdit --permission-mode default',
  )
  expect(optionsOf({ permissions: 'ask' }).join(' ')).toContain('--permission-mode default')
  expect(optionsOf({}).join(' ')).toContain('--permission-mode acceptEdits')
  expect(optionsOf({}).join(' ')).not.toContain('dangerously')
  expect(optionsOf({ permissions: 'full' })).toContain('--dangerously-skip-permissions')
})

test('model, effort and arguments of the agent file are passed on', () => {
  const options = optionsOf({ model: 'opus', effort: 'high', args: ['--add-dir', '/x'] }).join(' ')
  expect(options).toMatch(/--model opus --effort high .*--add-dir \/x$/)
})

test('a later turn resumes the session', () => {
  const launch = claude.resume(jobFor('claude'), { message: 'go on', session: 'abc' })
  expect(launch?.argv.join(' ')).toContain('--resume abc')
})

test('session, messages, tools and cost are read from a finished turn', () => {
  expect(summaryOf(claude, 'claude/success')).toMatchObject({
    session: expect.stringMatching(/^[0-9a-f-]{36}$/),
    usage: { inputTokens: 500, outputTokens: 100, costUsd: expect.any(Number) },
    failure: null,
    waits: null,
    hasAnswered: true,
    lastMessage: 'all done',
  })
  expect(kindsIn(claude, 'claude/success')).toEqual(['session', 'called', 'returned', 'said', 'usage'])
})

test('a resumed session keeps its id', () => {
  expect(summaryOf(claude, 'claude/nudge.2').session).toBe(summaryOf(claude, 'claude/nudge').session)
})

test('a rate limit is reported during the turn and at its end', () => {
  expect(kindsIn(claude, 'claude/rate-limited')).toEqual(['session', 'waits', 'failed', 'usage'])
  expect(summaryOf(claude, 'claude/rate-limited')).toMatchObject({
    failure: { kind: 'rate_limited', retryAt: null },
    hasAnswered: false,
    lastMessage: null,
  })
})

test('a subscription limit comes with its reset time', () => {
  expect(summaryOf(claude, 'claude/rate-limited-until').failure).toMatchObject({
    kind: 'rate_limited',
    message: expect.stringMatching(/hit your .*limit/),
    retryAt: 1_900_000_000_000,
  })
  const older = { type: 'result', is_error: true, result: 'Claude AI usage limit reached|1800000000' }
  expect(claude.readLine?.(JSON.stringify(older))).toMatchObject([
    { kind: 'failed', failure: { kind: 'rate_limited', retryAt: 1_800_000_000_000 } },
  ])
})

test('a report of a limit is ignored if it is a warning or the model answers after it', () => {
  const event = (status: string) => ({ type: 'rate_limit_event', rate_limit_info: { status, resetsAt: 1_800_000_000 } })
  expect(claude.readLine?.(JSON.stringify(event('allowed_warning')))).toEqual([])
  const entries = [...(claude.readLine?.(JSON.stringify(event('rejected'))) ?? []), { kind: 'answers' } as const]
  expect(entries.reduce(addEntry, EMPTY_SUMMARY).failure).toBeNull()
})

test.each([1_800_000_000, 1_800_000_000_000])('a reset time of %d is read as seconds or milliseconds', (resetsAt) => {
  const event = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt } }
  expect(claude.readLine?.(JSON.stringify(event))).toMatchObject([{ failure: { retryAt: 1_800_000_000_000 } }])
})

test('a refused key is an authentication failure', () => {
  expect(summaryOf(claude, 'claude/auth').failure).toMatchObject({
    kind: 'auth',
    message: expect.stringContaining('Invalid API key'),
  })
})

test('a missing login is an authentication failure even without a status code', () => {
  const result = 'Not logged in · Please run /login'
  const line = JSON.stringify({ type: 'result', subtype: 'success', is_error: true, api_error_status: null, result })
  expect(claude.readLine?.(line)).toMatchObject([{ kind: 'failed', failure: { kind: 'auth', message: result } }])
})

test('a failure of another kind keeps its message', () => {
  expect(summaryOf(claude, 'claude/failure').failure).toMatchObject({
    kind: 'other',
    message: 'API Error: 400 the request is not valid',
  })
})

test.each([
  ['a turn limit', { subtype: 'error_max_turns', is_error: true }, 'turn_limit'],
  ['a conversation that is too long', { is_error: true, result: 'Prompt is too long' }, 'context_overflow'],
  ['an unpaid bill', { is_error: true, api_error_status: 402, result: 'x' }, 'billing'],
])('%s is recognised as its own kind of failure', (_, fields, kind) => {
  const entries = claude.readLine?.(JSON.stringify({ type: 'result', ...fields }))
  expect(entries).toMatchObject([{ kind: 'failed', failure: { kind } }])
})
