import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Environment } from '../../src/config/environment.ts'
import { adapter as codex } from '../../src/harnesses/codex.ts'
import { jobFor, makeFolder } from './job.ts'
import { summaryOf, kindsIn } from './recordings.ts'

const optionsOf = (agent: Parameters<typeof jobFor>[1]): string =>
  codex.launch(jobFor('codex', agent)).argv.slice(1).join(' ')

test('the board’s tools are a required MCP server of the run', () => {
  const job = jobFor('codex')
  const { argv } = codex.launch(job)
  const server = `command="/bin/node",args=["/lib/mcp.js","worker","${job.directory.mcp}"],required=true`
  expect(argv).toContain(`mcp_servers.muster={${server},default_tools_approval_mode="approve"}`)
  expect(argv.at(-1)).toBe('-')
})

test('permissions become sandboxes, and only `full` turns the sandbox off', () => {
  expect(optionsOf({ permissions: 'read' })).toContain('--sandbox read-only')
  expect(optionsOf({ permissions: 'ask' })).toContain('--sandbox read-only')
  expect(optionsOf({})).toContain('--sandbox workspace-write')
  expect(optionsOf({})).not.toContain('dangerously')
  expect(optionsOf({ permissions: 'full' })).toContain('--dangerously-bypass-approvals-and-sandbox')
})

test('a workspace that Codex may write to is trusted for this run', () => {
  const trust = 'projects={"/work/space"={trust_level="trusted"}}'
  expect(optionsOf({ permissions: 'edit' })).toContain(`-c ${trust}`)
  expect(optionsOf({ permissions: 'full' })).toContain(`-c ${trust}`)
  expect(optionsOf({ permissions: 'read' })).not.toContain('trust_level')
})

test('model, provider and effort are settings of this run', () => {
  const options = optionsOf({ model: 'gpt', provider: 'azure', effort: 'high', args: ['-c', 'x=1'] })
  expect(options).toContain('--model gpt')
  expect(options).toContain('-c model_provider="azure" -c model_reasoning_effort="high" -c x=1')
})

test('Codex gets the address of a gateway with a key, unless the user’s settings name an address', () => {
  const home = makeFolder()
  const settingsWith = (env: Environment): string =>
    codex.launch(jobFor('codex', {}, { env: { HOME: home, ...env } })).argv.join(' ')
  const gateway = { OPENAI_BASE_URL: 'https://gate/v1', CODEX_API_KEY: 'k' }
  expect(settingsWith(gateway)).toContain('-c openai_base_url="https://gate/v1"')
  // Without a key, Codex uses its own login, which is not for the gateway.
  expect(settingsWith({ OPENAI_BASE_URL: 'https://gate/v1' })).not.toContain('openai_base_url')
  expect(settingsWith({ CODEX_API_KEY: 'k' })).not.toContain('openai_base_url')
  mkdirSync(join(home, '.codex'))
  writeFileSync(join(home, '.codex', 'config.toml'), 'openai_base_url = "https://other/v1"\n')
  expect(settingsWith(gateway)).not.toContain('openai_base_url')
})

test('a later turn resumes the thread', () => {
  const launch = codex.resume(jobFor('codex'), { message: 'go on', session: 'abc' })
  expect(launch?.argv.slice(-3)).toEqual(['resume', 'abc', '-'])
})

test('thread, messages, tools and tokens are read from a finished turn', () => {
  expect(summaryOf(codex, 'codex/success')).toMatchObject({
    session: expect.stringMatching(/^[0-9a-f-]{36}$/),
    usage: { inputTokens: 500, outputTokens: 100, costUsd: null },
    failure: null,
    hasAnswered: true,
    lastMessage: 'all done',
  })
  expect(kindsIn(codex, 'codex/success')).toEqual(['session', 'called', 'returned', 'said', 'usage'])
  expect(summaryOf(codex, 'codex/nudge.2').session).toBe(summaryOf(codex, 'codex/nudge').session)
})

test('a rate limit without a reset time has no retry time', () => {
  expect(summaryOf(codex, 'codex/rate-limited').failure).toMatchObject({ kind: 'rate_limited', retryAt: null })
})

test('the reset time of a plan limit is read from its message', () => {
  const { failure } = summaryOf(codex, 'codex/rate-limited-until')
  expect(failure).toMatchObject({ kind: 'rate_limited', message: expect.stringContaining('again at Mar 17th, 2030') })
  expect(failure?.retryAt).toBe(new Date(2030, 2, 17, 17, 47).getTime())
})

test('a plan without Codex is a billing failure', () => {
  const message = 'To use Codex with your ChatGPT plan, upgrade to Plus: https://chatgpt.com/explore/plus.'
  expect(codex.readLine?.(JSON.stringify({ type: 'turn.failed', error: { message } }))).toMatchObject([
    { kind: 'failed', failure: { kind: 'billing' } },
  ])
})

test('a rate limit during a reconnect is reported as a wait', () => {
  const message = 'Reconnecting... 1/5 (exceeded retry limit, last status: 429 Too Many Requests)'
  expect(codex.readLine?.(JSON.stringify({ type: 'error', message }))).toMatchObject([
    { kind: 'waits', failure: { kind: 'rate_limited' } },
  ])
  const other = 'Reconnecting... 1/5 (stream disconnected)'
  expect(codex.readLine?.(JSON.stringify({ type: 'error', message: other }))).toEqual([])
})

test('a refused key is an authentication failure, but an invalid request is not', () => {
  expect(summaryOf(codex, 'codex/auth').failure).toMatchObject({ kind: 'auth' })
  expect(summaryOf(codex, 'codex/failure').failure).toMatchObject({
    kind: 'other',
    message: expect.stringContaining('the request is not valid'),
  })
})
