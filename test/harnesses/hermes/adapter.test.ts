// Tests the arguments and the output as the documentation of Hermes Agent describes them (test/fixtures/samples). The
// program itself was never run.
import { mkdirSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { adapter as hermes } from '../../../src/harnesses/hermes/adapter.ts'
import { runDirectoryAt } from '../../../src/runs/files/run-directory.ts'
import { writeRunFiles } from '../../../src/harnesses/write-run-files.ts'
import { jobFor, makeFolder } from '../job.ts'
import { entriesOf, summaryOf, kindsIn, linesOf } from '../recordings.ts'

const optionsOf = (agent: Parameters<typeof jobFor>[1]): string =>
  hermes.launch(jobFor('hermes', agent)).argv.slice(1).join(' ')

test('Hermes reads the briefing on standard input and prints JSON lines', () => {
  expect(optionsOf({ model: 'm', provider: 'p', args: ['--x'] })).toBe(
    'chat --query-file - --format stream-json --source tool --in /work/space --toolsets file,web,vision,todo,muster --model m --provider p --x',
  )
})

test('permissions of the agent file become toolsets', () => {
  const writable = (permissions: 'read' | 'ask' | 'edit' | 'full') =>
    hermes.launch(jobFor('hermes', { permissions })).env?.['HERMES_WRITE_SAFE_ROOT']
  for (const permissions of ['read', 'ask', 'edit'] as const) {
    expect(optionsOf({ permissions })).not.toMatch(/yolo|terminal|hermes-cli/)
  }
  expect([writable('read'), writable('ask')]).toEqual(['/runs/a/hermes/nowhere', '/runs/a/hermes/nowhere'])
  expect([writable('edit'), writable('full')]).toEqual(['/work/space', undefined])
  expect(optionsOf({ permissions: 'full' })).toContain('--yolo --toolsets hermes-cli,muster')
})

test('a later turn resumes the session', () => {
  const job = jobFor('hermes', {})
  const launch = hermes.resume({ ...job, turn: 2 }, { message: 'go on', session: '20261115_120000_a1b2c3' })
  expect(launch?.argv.slice(-2)).toEqual(['--resume', '20261115_120000_a1b2c3'])
})

test('session, messages, tools and tokens are read from a finished turn', () => {
  expect(summaryOf(hermes, 'hermes/success')).toMatchObject({
    session: '20261115_120000_a1b2c3',
    usage: { inputTokens: 600, outputTokens: 60, costUsd: null },
    failure: null,
    lastMessage: 'all done',
  })
  expect(kindsIn(hermes, 'hermes/success')).toEqual(['session', 'said', 'called', 'returned', 'usage'])
  expect(summaryOf(hermes, 'hermes/nudge.2').session).toBe(summaryOf(hermes, 'hermes/nudge').session)
})

test('limits, missing logins and other failures have different failure kinds', () => {
  const limited = summaryOf(hermes, 'hermes/rate-limited')
  expect(limited).toMatchObject({ failure: { kind: 'rate_limited' }, usage: null })
  expect(limited.failure?.retryAt).toBeGreaterThan(Date.now() + 2 * 3_600_000)
  expect(summaryOf(hermes, 'hermes/auth').failure).toMatchObject({ kind: 'auth' })
  expect(summaryOf(hermes, 'hermes/failure').failure).toMatchObject({
    kind: 'other',
    message: 'HTTP 400: the request is not valid',
  })
})

test.each([
  ['HTTP 401: Invalid API key', 'auth'],
  ['HTTP 400 invalid_request_error: Your credit balance is too low', 'billing'],
  ['The usage limit has been reached', 'rate_limited'],
  ["You've reached the maximum number of tool-calling iterations allowed.", 'turn_limit'],
  ['HTTP 400: context length exceeded', 'context_overflow'],
])('the failure "%s" is classified as %s', (error, kind) => {
  const line = JSON.stringify({ type: 'result', session_id: 's', exit_code: 1, text: '', tokens: {}, error })
  expect(entriesOf(hermes, [line]).at(-1)).toMatchObject({ kind: 'failed', failure: { kind } })
})

test('the Hermes adapter reads no session from the output of Claude Code', () => {
  expect(entriesOf(hermes, linesOf('claude/success')).map(({ kind }) => kind)).not.toContain('session')
})

const jobOf = (user: string) => jobFor('hermes', {}, { env: { HOME: user }, directory: runDirectoryAt(makeFolder()) })

function userWith(settings: string | null): string {
  const user = makeFolder()
  const folder = join(user, '.hermes')
  for (const name of ['skills', 'memories', 'sessions', 'profiles']) mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['.env', 'auth.json', 'SOUL.md', 'state.db', 'state.db-wal', 'gateway.pid'])
    writeFileSync(join(folder, name), name)
  if (settings !== null) writeFileSync(join(folder, 'config.yaml'), settings)
  return user
}

test('the home of a run contains settings, tools and links', async () => {
  const settings = 'model:\n  default: some/model\n# Mine.\ntoolsets:\n- hermes-cli\n'
  const user = userWith(settings)
  const job = jobOf(user)
  const launch = hermes.launch(job)
  await writeRunFiles(job.directory, launch)
  const own = join(job.directory.path, 'hermes')
  expect(launch.env).toMatchObject({ HERMES_HOME: own })
  expect(parse(readFileSync(join(own, 'config.yaml'), 'utf8'))).toEqual({
    model: { default: 'some/model' },
    toolsets: ['hermes-cli'],
    mcp_servers: {
      muster: { command: '/bin/node', args: ['/lib/mcp.js', 'worker', job.directory.mcp], enabled: true },
    },
  })
  const links = ['.env', 'SOUL.md', 'auth.json', 'memories', 'skills']
  expect(readdirSync(own).toSorted()).toEqual([...links, 'config.yaml'].toSorted())
  for (const name of links) expect(readlinkSync(join(own, name))).toBe(join(user, '.hermes', name))
  expect(readFileSync(join(user, '.hermes/config.yaml'), 'utf8')).toBe(settings)
})

const settingsOf = (settings: string | null): unknown => {
  const { files } = hermes.launch(jobOf(userWith(settings)))
  return parse(files.find(({ path }) => path.endsWith('config.yaml'))?.content ?? '')
}

test.each([
  ['in block style', 'mcp_servers:\n\n  # The first.\n    notes:\n      command: notes\nagent:\n  max_turns: 5\n'],
  ['in flow style', 'agent:\n  max_turns: 5\nmcp_servers: {notes: {command: notes}}\n'],
  [
    'with one of the same name first',
    'mcp_servers:\n  muster:\n    command: mine\n\n    args: [mcp]\n  notes:\n    command: notes\nagent:\n  max_turns: 5\n  muster: 1\n',
  ],
  [
    'with one of the same name last',
    'agent: {max_turns: 5}\nmcp_servers:\n  notes: {command: notes}\n  "muster": {command: mine}',
  ],
  ['under a quoted key', '"mcp_servers": # Mine.\n  notes: {command: notes}\nagent: {max_turns: 5}'],
])('the user’s MCP servers %s are kept, and the board’s is added', (_, settings) => {
  expect(settingsOf(settings)).toMatchObject({
    agent: { max_turns: 5 },
    mcp_servers: { notes: { command: 'notes' }, muster: { command: '/bin/node', enabled: true } },
  })
})

test.each([[null], [''], ['mcp_servers: {}\n'], ['mcp_servers:\n'], ['mcp_servers: null\nagent: {}\n']])(
  'the board’s MCP server is added to settings without servers: %j',
  (settings) => {
    expect(settingsOf(settings)).toMatchObject({ mcp_servers: { muster: { enabled: true } } })
  },
)

test.each([['{ "model": "x" }'], ['mcp_servers: *others\n'], ['mcp_servers: {muster: {command: mine}}\n']])(
  'the unsupported settings %j give an error that names the file',
  (settings) => {
    expect(() => settingsOf(settings)).toThrow(/^Hermes' settings cannot be read: .*config\.yaml/)
  },
)

test('the active profile of the user is used', () => {
  const user = userWith('model: first\n')
  writeFileSync(join(user, '.hermes/active_profile'), 'coder\n')
  mkdirSync(join(user, '.hermes/profiles/coder'))
  writeFileSync(join(user, '.hermes/profiles/coder/config.yaml'), 'model: second\n')
  const { files } = hermes.launch(jobOf(user))
  expect(files.find(({ path }) => path.endsWith('config.yaml'))?.content).toContain('model: second')
})
