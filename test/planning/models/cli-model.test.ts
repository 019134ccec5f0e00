import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { MODEL_CLIS } from '../../../src/config/models.ts'
import { openModel } from '../../../src/planning/models/model.ts'

const FIXTURE = join(import.meta.dirname, '..', '..', 'fixtures', 'clis', 'one-shot.mjs')
const schema = z.object({ title: z.string() })

/** Makes a user with this CLI, whose model sends these answers. */
function userWith(cli: string, answers: readonly string[], more = '') {
  const user = mkdtempSync(join(tmpdir(), 'muster-one-shot-'))
  onTestFinished(() => rmSync(user, { recursive: true, force: true }))
  const home = join(user, '.muster')
  mkdirSync(home)
  writeFileSync(join(home, 'config.yaml'), `models: { planner: { cli: ${cli}${more} } }\n`)
  symlinkSync(FIXTURE, join(user, cli))
  writeFileSync(join(user, 'answers'), answers.join('\n'))
  const env = { HOME: user, PATH: [user, process.env['PATH']].join(delimiter), KEY_OF_MODEL: 'sk-1' }
  const ask = () =>
    openModel('planner', { home, env }).ask({
      instructions: 'Plan.',
      input: 'login',
      schema,
      signal: new AbortController().signal,
    })
  const asked = (): readonly { argv: string[]; stdin: string; files: string[]; key?: string }[] =>
    readFileSync(join(user, 'asked'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { ask, asked }
}

test.each(MODEL_CLIS)('%s answers a question in an empty folder', async (cli) => {
  const { ask, asked } = userWith(cli, ['{"title":"Fix the login"}'], ', model: small')
  expect(await ask()).toMatchObject({
    ok: true,
    value: { title: 'Fix the login' },
    usage: { model: 'small', inputTokens: 100, outputTokens: 20 },
  })
  const [question] = asked()
  expect(question?.files).toEqual([])
  expect(question?.stdin).toMatch(/^Plan\.[^]*"title"[^]*login$/)
  expect(question?.argv.join(' ')).toContain('--model small')
  expect(question?.key).toBeUndefined()
})

test('the correction of a malformed CLI answer repeats the whole conversation', async () => {
  const { ask, asked } = userWith('claude', ['no idea', '{"title":"Fix"}'])
  expect(await ask()).toMatchObject({ ok: true, usage: { inputTokens: 200, costUsd: 0.002 } })
  expect(asked()[1]?.stdin).toMatch(/login[^]*no idea[^]*not valid/)
})

test('a CLI gets only the key that keyEnv names', async () => {
  const { ask, asked } = userWith('codex', ['{"title":"Fix"}'], ', keyEnv: KEY_OF_MODEL')
  await ask()
  expect(asked()[0]?.key).toBe('sk-1')
})

test('a CLI without a login gives an auth failure that names the CLI', async () => {
  const { ask } = userWith('gemini', [])
  expect(await ask()).toMatchObject({ ok: false, kind: 'auth', message: expect.stringContaining('Log in with gemini') })
})

test('a CLI that never answers times out', async () => {
  const { ask } = userWith('claude', ['hang'], ', timeout: 3s')
  expect(await ask()).toMatchObject({ ok: false, kind: 'timed_out' })
})

test('the error for a CLI that is not installed names the CLI', async () => {
  const { ask } = userWith('claude', [], ' , timeout: 3s')
  const none = mkdtempSync(join(tmpdir(), 'muster-none-'))
  onTestFinished(() => rmSync(none, { recursive: true, force: true }))
  writeFileSync(join(none, 'config.yaml'), 'models: { planner: { cli: codex } }\n')
  const answer = await openModel('planner', { home: none, env: { PATH: none } }).ask({
    instructions: 'Plan.',
    input: 'x',
    schema,
    signal: new AbortController().signal,
  })
  expect(answer).toMatchObject({ ok: false, kind: 'unconfigured', message: expect.stringContaining('not installed') })
  expect((await ask()).ok).toBe(false)
})
