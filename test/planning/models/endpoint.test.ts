import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { openModel } from '../../../src/planning/models/model.ts'
import type {
  ModelAnswer,
  ModelFailure,
  ModelFailureKind,
  ModelQuestion,
  ModelUsage,
} from '../../../src/planning/models/model.ts'
import { chooseModel, SCRIPTED_MODEL, useScriptedModel } from '../../helpers/scripted-model.ts'
import type { ScriptedModel } from '../../helpers/scripted-model.ts'

const schema = z.object({ title: z.string().max(20), tags: z.array(z.string()).max(2) })
type Answer = z.infer<typeof schema>
const GOOD: Answer = { title: 'Fix the login', tags: ['auth'] }
const KEY = 'sk-secret-123'
const QUESTION: Omit<ModelQuestion<Answer>, 'signal'> = { instructions: 'Plan.', input: 'login', schema }
const usageOfTurns = (turns: number): ModelUsage => ({
  model: SCRIPTED_MODEL,
  inputTokens: 100 * turns,
  outputTokens: 20 * turns,
  costUsd: 0.001 * turns,
})

function failed(answer: ModelAnswer<Answer>): ModelFailure {
  if (answer.ok) throw new Error('The model has answered.')
  return answer
}

function homeWith(config: string): string {
  const home = mkdtempSync(join(tmpdir(), 'muster-models-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  writeFileSync(join(home, 'config.yaml'), config)
  return home
}

const configOf = (url: string, more = ''): string =>
  `models: { planner: { url: "${url}", model: ${SCRIPTED_MODEL}${more} } }\n`

const ask = (home: string, signal = new AbortController().signal): Promise<ModelAnswer<Answer>> =>
  openModel('planner', { home, env: { MODEL_KEY: KEY } }).ask({ ...QUESTION, signal })

const askScripted = (model: ScriptedModel, more = ''): Promise<ModelAnswer<Answer>> =>
  ask(homeWith(configOf(model.url, more)))

test('an answer is checked against the schema and comes with its usage', async () => {
  const model = await useScriptedModel()
  model.script({ json: GOOD })
  expect(await askScripted(model, ', keyEnv: MODEL_KEY')).toEqual({
    ok: true,
    value: GOOD,
    usage: usageOfTurns(1),
  })
  expect(model.requests).toMatchObject([
    {
      path: '/v1/chat/completions',
      authorization: `Bearer ${KEY}`,
      hasSchema: true,
      messages: [
        { role: 'system', content: expect.stringContaining('"maxLength":20') },
        { role: 'user', content: 'login' },
      ],
    },
  ])
})

test.each([
  ['a code fence', `Here it is:\n\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\`\nDone.`],
  ['thoughts with braces', `<think>maybe {"title": 1}</think>\n${JSON.stringify(GOOD)}`],
])('JSON inside %s is read', async (_, text) => {
  const model = await useScriptedModel()
  model.script({ text })
  expect(await askScripted(model)).toMatchObject({ ok: true, value: GOOD })
})

test('a malformed answer is repaired once, and the usage of both answers is added', async () => {
  const model = await useScriptedModel()
  model.script({ json: { title: 'x'.repeat(30), tags: [] } }, { json: GOOD })
  expect(await askScripted(model)).toEqual({
    ok: true,
    value: GOOD,
    usage: usageOfTurns(2),
  })
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('title: ')
})

test('a second malformed answer is a failure with its error and the usage of both answers', async () => {
  const model = await useScriptedModel()
  model.script({ text: 'I cannot decide.' }, { json: { title: 'x' } })
  const answer = await askScripted(model)
  expect(answer).toMatchObject({ ok: false, kind: 'bad_answer', usage: { inputTokens: 200 } })
  expect(failed(answer).message).toMatch(/not valid, twice: tags: .*Try again, or choose another model\./)
  expect(model.requests).toHaveLength(2)
})

test('a server that refuses the schema is asked again without a schema', async () => {
  const model = await useScriptedModel()
  model.script({ status: 400, body: { error: { message: 'unknown field response_format' } } }, { json: GOOD })
  expect(await askScripted(model)).toMatchObject({ ok: true })
  expect(model.requests.map(({ hasSchema }) => hasSchema)).toEqual([true, false])
})

test.each([
  [401, 'auth', 'refused the key in MODEL_KEY'],
  [402, 'rate_limited', 'reached a limit'],
  [429, 'rate_limited', 'Try again later'],
  [503, 'unreachable', 'HTTP 503'],
  [504, 'timed_out', 'no answer in time'],
  [413, 'refused', 'Check models.planner.model'],
] satisfies [number, ModelFailureKind, string][])(
  'HTTP %i is the failure %s, and a key in its text is not shown',
  async (status, kind, text) => {
    const model = await useScriptedModel()
    model.script({ status, body: { error: { message: `no, ${KEY}` } } })
    const answer = await askScripted(model, ', keyEnv: MODEL_KEY')
    expect(answer).toMatchObject({ ok: false, kind, usage: null })
    expect(failed(answer).message).toContain(text)
    expect(JSON.stringify(answer)).not.toContain(KEY)
  },
)

test('a redirect is not followed, so the key stays with its host', async () => {
  const [model, other] = [await useScriptedModel(), await useScriptedModel(() => ({ json: GOOD }))]
  model.script({ status: 307, headers: { location: `${other.url}/chat/completions` } })
  const answer = await askScripted(model, ', keyEnv: MODEL_KEY')
  expect(answer).toMatchObject({ ok: false, kind: 'unreachable', message: expect.stringContaining('redirects to') })
  expect(other.requests).toEqual([])
})

test('the timeout in config.yaml ends the request to a silent server', async () => {
  const model = await useScriptedModel(() => 'silent')
  expect(await askScripted(model, ', timeout: 0.2s')).toMatchObject({ ok: false, kind: 'timed_out' })
})

test('a server that is not running gives the failure `unreachable`', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  expect(await ask(homeWith(configOf(`http://127.0.0.1:${port}/v1`)))).toMatchObject({ ok: false, kind: 'unreachable' })
})

test('an oversized answer is refused before the client has read all of it', async () => {
  const model = await useScriptedModel()
  model.script({ text: 'x'.repeat(2 * 1024 * 1024) })
  expect(await askScripted(model)).toMatchObject({
    ok: false,
    kind: 'bad_answer',
    message: expect.stringContaining('too large'),
  })
})

test.each([
  ['a cut answer', { text: '{"title":', ending: 'length' }, 'bad_answer', 'output limit'],
  ['a filtered answer', { text: '', ending: 'content_filter' }, 'refused', 'refused to answer'],
  ['a page that is no completion', { status: 200, body: { hello: 1 } }, 'refused', 'ends with /v1'],
] as const)('%s from the model is a failure', async (_, reply, kind, text) => {
  const model = await useScriptedModel()
  model.script(reply)
  expect(await askScripted(model)).toMatchObject({ ok: false, kind, message: expect.stringContaining(text) })
})

test.each([
  ['', 'No planner model is set'],
  ['models: { planner: { url: nowhere, model: m } }', 'url must be'],
  [configOf('http://127.0.0.1:9/v1', ', keyEnv: MISSING_KEY'), 'MISSING_KEY, which is not set'],
])('no request is sent without a usable model: %s', async (config, text) => {
  expect(await ask(homeWith(config))).toMatchObject({
    ok: false,
    kind: 'unconfigured',
    message: expect.stringContaining(text),
  })
})

test('without a describer model, the planner model is used', async () => {
  const model = await useScriptedModel()
  model.script({ json: GOOD })
  const home = homeWith('')
  chooseModel(home, model)
  const signal = new AbortController().signal
  expect(await openModel('describer', { home, env: {} }).ask({ ...QUESTION, signal })).toMatchObject({ ok: true })
})

test('an aborted question rejects its promise', async () => {
  const model = await useScriptedModel(() => 'silent')
  const aborter = new AbortController()
  const asked = ask(homeWith(configOf(model.url)), aborter.signal)
  await expect.poll(() => model.requests.length).toBe(1)
  aborter.abort()
  await expect(asked).rejects.toThrow(/abort/i)
})
