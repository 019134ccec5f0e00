// Tests `muster mcp` for a person's own assistant: without a board, with a second assistant, and as installed.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { TaskView } from '../../src/storage/store.ts'
import { BIN, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'

interface Entry {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

type Answer = Readonly<Record<string, unknown>>

/** Starts this entry and returns its tools as functions, which return the result or the error. */
async function start({ command, args, env }: Entry) {
  const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'ignore' })
  const client = new Client({ name: 'an assistant', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Answer> => {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: given })
    const [said] = content
    return isError === true ? { error: said?.type === 'text' ? said.text : '' } : (structuredContent as Answer)
  }
  return { client, call }
}

const assistantOf = (home: TestHome, ...flags: string[]) =>
  start({ command: process.execPath, args: [BIN, 'mcp', ...flags], env: plain(home.env) })

const plain = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

const saying = (words: string): unknown => expect.stringContaining(words)

const listed = async (home: TestHome): Promise<readonly TaskView[]> =>
  JSON.parse((await home.runInline('list', '--json')).stdout) as TaskView[]

test('tools that only read create no board, and the first card creates the board', async () => {
  const home = makeTestHome('sqlite')
  const { client, call } = await assistantOf(home)
  expect((await client.listTools()).tools.length).toBeGreaterThan(10)
  for (const [tool, given] of [
    ['kanban_list', {}],
    ['kanban_agents', {}],
    ['kanban_show', { task: 't_0000000000' }],
    ['kanban_comment', { task: 't_0000000000', body: 'hello' }],
  ] as const)
    expect(await call(tool, given)).toEqual({ error: saying('kanban_create creates one with its first card') })
  expect(await call('kanban_create', { title: 'x', priority: 'high' })).toEqual({ error: saying('priority') })
  expect(existsSync(home.home)).toBe(false)

  const { id } = await call('kanban_create', { title: 'The first card' })
  expect(await listed(home)).toMatchObject([{ id, title: 'The first card' }])
  expect(await call('kanban_list')).toMatchObject({ tasks: [{ id }] })
})

test('two assistants that start at once share one board', async () => {
  const home = makeTestHome('sqlite')
  const both = await Promise.all([assistantOf(home), assistantOf(home)])
  const made = await Promise.all(
    both.flatMap(({ call }, who) =>
      Array.from({ length: 8 }, (_, n) => call('kanban_create', { title: `${who}-${n}` })),
    ),
  )
  expect(made.map(({ error }) => error).filter((error) => error !== undefined)).toEqual([])
  const titles = (await listed(home)).map(({ title }) => title).toSorted()
  expect(titles).toEqual([0, 1].flatMap((who) => Array.from({ length: 8 }, (_, n) => `${who}-${n}`)))
})

test('a missing board is reported with a remedy, and found once the board exists', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const { call } = await assistantOf(home, '--board', 'work')
  const away = { error: saying('muster boards create work') }
  expect([await call('kanban_list'), await call('kanban_create', { title: 'x' })]).toEqual([away, away])
  await home.runInline('boards', 'create', 'work')
  expect(await call('kanban_list')).toEqual({ tasks: [] })
})

test('an assistant can write to a data folder that was deleted and created again', async () => {
  const home = makeTestHome('sqlite')
  const { call } = await assistantOf(home)
  await call('kanban_create', { title: 'before' })
  rmSync(home.home, { recursive: true })
  await home.runInline('init')
  await call('kanban_create', { title: 'after' })
  expect((await listed(home)).map(({ title }) => title)).toEqual(['after'])
})

test('`muster mcp` refuses an invalid board name', async () => {
  const home = makeTestHome('sqlite')
  expect(await home.start(['mcp', '--board', 'No Board']).ended).toMatchObject({
    code: 2,
    stdout: '',
    stderr: saying('is not a board name'),
  })
})

test("an assistant's command runs once a person has approved it", async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  home.start(['up'])
  const { call } = await assistantOf(home)
  const { id } = await call('kanban_create', { title: 'Say hello', assignee: 'shell', body: 'echo hello' })
  expect(await call('kanban_show', { task: id })).toMatchObject({ status: 'ready', waitsForApproval: true })
  await home.runInline('approve', id as TaskId, '--commands')
  await home.until('the card is done', async () => (await call('kanban_show', { task: id }))['status'] === 'done')
  expect(await call('kanban_show', { task: id })).toMatchObject({ runs: [{ agent: 'shell', outcome: 'completed' }] })
})

/** The functions that read the installed entry from the config file of each assistant. */
const READ: Readonly<Record<string, readonly [file: string, read: (text: string) => Entry]>> = {
  claude: ['.claude.json', (text) => (JSON.parse(text) as { mcpServers: { muster: Entry } }).mcpServers.muster],
  codex: [
    '.codex/config.toml',
    (text) => {
      const value = (name: string): string => new RegExp(`^${name} = (.*)$`, 'm').exec(text)?.[1] ?? ''
      const env = value('env').replaceAll(/(\w+) = /g, '"$1": ')
      return {
        command: JSON.parse(value('command')) as string,
        args: JSON.parse(value('args')) as string[],
        env: JSON.parse(env) as Record<string, string>,
      }
    },
  ],
  opencode: [
    '.config/opencode/opencode.json',
    (text) => {
      const { mcp } = JSON.parse(text) as {
        mcp: { muster: { command: string[]; environment: Record<string, string> } }
      }
      const [command = '', ...args] = mcp.muster.command
      return { command, args, env: mcp.muster.environment }
    },
  ],
  gemini: [
    '.gemini/settings.json',
    (text) => (JSON.parse(text) as { mcpServers: { muster: Entry } }).mcpServers.muster,
  ],
}

test.each(Object.entries(READ))(
  'the entry installed into %s serves the board of this data folder',
  async (name, [file, read]) => {
    const home = makeTestHome('sqlite')
    await home.create('A card to find')
    const user = mkdtempSync(join(tmpdir(), 'muster-user-'))
    onTestFinished(() => rmSync(user, { recursive: true, force: true }))
    const place = { HOME: user, CODEX_HOME: '', CLAUDE_CONFIG_DIR: '', XDG_CONFIG_HOME: '', GEMINI_CLI_HOME: '' }
    const installed = await home.start(['mcp', 'install', name, '--board', 'default'], { env: place }).ended
    expect(installed.code).toBe(0)
    const entry = read(readFileSync(join(user, file), 'utf8'))
    // Starts the entry with only the variables that every program has.
    const { call } = await start({ ...entry, env: { HOME: user, PATH: '/usr/bin:/bin', ...entry.env } })
    expect(await call('kanban_list')).toMatchObject({ tasks: [{ title: 'A card to find' }] })
  },
)
