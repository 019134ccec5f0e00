import { expect, test } from 'vitest'
import { claudeHarness } from '../../../src/workers/harnesses/claude.ts'
import { NOTHING_HEARD, hear } from '../../../src/workers/stream/heard.ts'
import { jobFor } from './job.ts'
import { heardIn, kindsIn } from './recordings.ts'

const optionsOf = (agent: Parameters<typeof jobFor>[1]): readonly string[] =>
  claudeHarness.launch(jobFor('claude', agent)).argv.slice(1)

test('the briefing comes on standard input, and the tools in a file of the run that only its owner reads', () => {
  const job = jobFor('claude')
  const { argv, stdin, files } = claudeHarness.launch(job)
  expect(argv).toEqual(expect.arrayContaining(['-p', '--mcp-config', job.directory.mcp, '--strict-mcp-config']))
  expect(stdin).toBe(job.directory.briefing)
  expect(files).toEqual([
    { path: job.directory.briefing, content: 'what to do', mode: 0o600 },
    { path: job.directory.mcp, content: expect.stringContaining('secret'), mode: 0o600 },
  ])
  expect(argv.join(' ')).not.toMatch(/secret|what to do/)
})

test('it may do what its file says, and nothing is skipped unless that is `full`', () => {
  expect(optionsOf({ permissions: 'read' }).join(' ')).toContain(
    '--disallowedTools Edit,Write,NotebookEdit --permission-mode default',
  )
  expect(optionsOf({ permissions: 'ask' }).join(' ')).toContain('--permission-mode default')
  expect(optionsOf({}).join(' ')).toContain('--permission-mode acceptEdits')
  expect(optionsOf({}).join(' ')).not.toContain('dangerously')
  expect(optionsOf({ permissions: 'full' })).toContain('--dangerously-skip-permissions')
})

test('model, effort and arguments of its file are passed on', () => {
  const options = optionsOf({ model: 'opus', effort: 'high', args: ['--add-dir', '/x'] }).join(' ')
  expect(options).toMatch(/--model opus --effort high .*--add-dir \/x$/)
})

test('a later turn resumes the session and is told a message; without a session there is none', () => {
  const job = jobFor('claude')
  const launch = claudeHarness.resume(job, { message: 'go on', session: 'abc' })
  expect(launch?.argv.join(' ')).toContain('--resume abc')
  expect(launch?.files[0]?.content).toBe('go on')
  expect(claudeHarness.resume(job, { message: 'go on', session: null })).toBeNull()
})

test('work that is done: session, words, tools and what it cost', () => {
  expect(heardIn(claudeHarness, 'claude/success')).toMatchObject({
    session: expect.stringMatching(/^[0-9a-f-]{36}$/),
    usage: { inputTokens: 500, outputTokens: 100, costUsd: expect.any(Number) },
    failure: null,
    waits: null,
    hasAnswered: true,
    said: 'all done',
  })
  expect(kindsIn(claudeHarness, 'claude/success')).toEqual(['session', 'called', 'returned', 'said', 'usage'])
})

test('a resumed session keeps its name', () => {
  expect(heardIn(claudeHarness, 'claude/nudge.2').session).toBe(heardIn(claudeHarness, 'claude/nudge').session)
})

test('a limit is told as it is met, and as what ended it', () => {
  expect(kindsIn(claudeHarness, 'claude/rate-limited')).toEqual(['session', 'waits', 'failed', 'usage'])
  expect(heardIn(claudeHarness, 'claude/rate-limited')).toMatchObject({
    failure: { kind: 'rate_limited', retryAt: null },
    hasAnswered: false,
    said: null,
  })
})

test('a limit of the subscription comes with the moment of its reset', () => {
  expect(heardIn(claudeHarness, 'claude/rate-limited-until').failure).toMatchObject({
    kind: 'rate_limited',
    message: expect.stringMatching(/hit your .*limit/),
    retryAt: 1_900_000_000_000,
  })
  const older = { type: 'result', is_error: true, result: 'Claude AI usage limit reached|1800000000' }
  expect(claudeHarness.readLine?.(JSON.stringify(older))).toMatchObject([
    { kind: 'failed', failure: { kind: 'rate_limited', retryAt: 1_800_000_000_000 } },
  ])
})

test('a limit that is near, or paid beyond, is none', () => {
  const event = (status: string) => ({ type: 'rate_limit_event', rate_limit_info: { status, resetsAt: 1_800_000_000 } })
  expect(claudeHarness.readLine?.(JSON.stringify(event('allowed_warning')))).toEqual([])
  const entries = [...(claudeHarness.readLine?.(JSON.stringify(event('rejected'))) ?? []), { kind: 'answers' } as const]
  expect(entries.reduce(hear, NOTHING_HEARD).failure).toBeNull()
})

test('a key that is refused is no failure of the agent', () => {
  expect(heardIn(claudeHarness, 'claude/auth').failure).toMatchObject({
    kind: 'auth',
    message: expect.stringContaining('Invalid API key'),
  })
})

test('any other failure is told in its own words', () => {
  expect(heardIn(claudeHarness, 'claude/failure').failure).toMatchObject({
    kind: 'other',
    message: 'API Error: 400 the request is not valid',
  })
})

test.each([
  ['its own limit of turns', { subtype: 'error_max_turns', is_error: true }, 'turn_limit'],
  ['a conversation that is too long', { is_error: true, result: 'Prompt is too long' }, 'context_overflow'],
  ['a bill that is not paid', { is_error: true, api_error_status: 402, result: 'x' }, 'billing'],
])('%s has a kind of its own', (_, fields, kind) => {
  const entries = claudeHarness.readLine?.(JSON.stringify({ type: 'result', ...fields }))
  expect(entries).toMatchObject([{ kind: 'failed', failure: { kind } }])
})
