// Tests `muster mcp`: the tools for a person's own assistant, outside any run, and its resources.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { BIN, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'
import { connectTools } from './tools.ts'
import type { Tools } from './tools.ts'

const said = (words: string): unknown => expect.stringContaining(words)

async function assistantOf(home: TestHome, ...flags: string[]): Promise<Tools> {
  const env = Object.fromEntries(
    Object.entries(home.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const tools = await connectTools({ command: process.execPath, args: [BIN, 'mcp', ...flags], env })
  onTestFinished(() => tools.close())
  return tools
}

describe.each(SURFACE_ENGINES)('an assistant (%s)', (engine) => {
  test('the tools of an assistant act at once, but its commands need approval', async () => {
    const home = makeTestHome(engine)
    await home.runInline('init')
    const { client, call } = await assistantOf(home)
    expect((await client.listTools()).tools).toHaveLength(22)
    expect(client.getInstructions()).toContain('You help a person')

    const made = await call('kanban_create', { title: 'a shed', body: 'Build it.' })
    expect(made).toMatchObject({ created: true, status: 'ready' })
    const id = made['id'] as TaskId
    const child = (await call('kanban_create', { title: 'paint it' }))['id'] as TaskId
    expect(await call('kanban_link', { parent: id, child })).toMatchObject({ id: child, status: 'todo', parents: [id] })
    expect(await call('kanban_show', { task: child })).toMatchObject({ title: 'paint it', parents: [id] })
    expect(await call('kanban_list', {})).toMatchObject({ tasks: [{ id }, { id: child }] })
    expect(await call('kanban_comment', { task: id, body: 'in the garden' })).toMatchObject({ id })
    const path = join(home.home, 'plan.md')
    writeFileSync(path, '# Plan')
    expect(await call('kanban_attach', { task: id, path })).toMatchObject({ name: 'plan.md' })
    expect(await call('kanban_attachments', { task: id })).toMatchObject({ attachments: [{ name: 'plan.md' }] })
    expect(await call('kanban_agents')).toMatchObject({ agents: [{ name: 'shell' }] })
    expect(await call('kanban_block', { task: id, reason: 'no wood' })).toMatchObject({ status: 'blocked' })
    expect(await call('kanban_unblock', { task: id })).toMatchObject({ status: 'ready' })
    expect(await call('kanban_request_review', { task: id, summary: 'look' })).toMatchObject({ status: 'review' })
    expect(await call('kanban_request_changes', { task: id, reason: 'a door' })).toMatchObject({ status: 'ready' })
    expect(await call('kanban_complete', { task: id, summary: 'built' })).toMatchObject({ id, status: 'done' })
    expect(await call('kanban_heartbeat', { task: child })).toHaveProperty('error')
    // The assistant is the author of the card, not the person.
    const { comments, createdBy } = await home.show(id)
    expect([createdBy, comments[0]?.author]).toEqual(['agent:assistant of tester', 'agent:assistant of tester'])
    const shell = await call('kanban_create', { title: 'run it', assignee: 'shell', body: 'rm -rf /' })
    expect(shell).toMatchObject({ waitsForApproval: true })
  })

  test('an assistant has one board and no card of its own', async () => {
    const home = makeTestHome(engine)
    await home.runInline('init')
    await home.runInline('boards', 'create', 'other')
    const elsewhere = await home.create('elsewhere', '--board', 'other')
    const { call, client } = await assistantOf(home)
    expect(await call('kanban_show')).toEqual({ error: said('kanban_show needs task') })
    expect(await call('kanban_show', { task: elsewhere.id })).toEqual({ error: said('There is no card') })
    expect(await call('kanban_list', { board: 'other' })).toEqual({ error: said('Only board default') })
    expect(await client.listResources()).toMatchObject({ resources: [] })
    const there = await assistantOf(home, '--board', 'other')
    expect(await there.call('kanban_list')).toMatchObject({ tasks: [{ title: 'elsewhere' }] })
  })
})

test('an assistant finds a data folder created after it started', async () => {
  const home = makeTestHome('sqlite')
  const { call } = await assistantOf(home)
  expect(await call('kanban_list')).toEqual({ error: said('muster init') })
  await home.runInline('init')
  expect(await call('kanban_list')).toEqual({ tasks: [] })
})

test('attachments are read as text or bytes, or refused with a path', async () => {
  const home = makeTestHome('sqlite')
  const parent = await home.create('before')
  const files: Record<string, string | Uint8Array> = {
    'text.txt': 'grüße',
    'bytes.bin': Uint8Array.of(0xff, 0x00, 0xfe),
    'large.txt': 'x'.repeat(1024 * 1024 + 1),
    'gone.txt': 'soon gone',
  }
  for (const [name, content] of Object.entries(files)) {
    const path = join(home.home, name)
    writeFileSync(path, content)
    await home.runInline('attach', parent.id, path)
  }
  const { call, client } = await assistantOf(home)
  const { attachments } = (await call('kanban_attachments', { task: parent.id })) as {
    attachments: { name: string; path: string }[]
  }
  rmSync(attachments.find(({ name }) => name === 'gone.txt')?.path ?? '')
  const rows = await (await home.store()).attachments('default', parent.id)
  const read = async (name: string) => {
    const id = rows.find(({ filename }) => filename === name)?.id ?? ''
    return (await client.readResource({ uri: `muster://attachment/${parent.id}/${id}` })).contents[0]
  }
  expect(await read('text.txt')).toMatchObject({ text: 'grüße' })
  expect(await read('bytes.bin')).toMatchObject({ blob: '/wD+', mimeType: 'application/octet-stream' })
  await expect(read('large.txt')).rejects.toThrow(/is too large \(1048577 bytes\)\. Open it by its path: \//)
  await expect(read('gone.txt')).rejects.toThrow('can no longer be read')
  await expect(read('%')).rejects.toThrow('Unknown resource muster://attachment')
  const uri = `muster://attachment/${parent.id}/%E0%A4%A`
  await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_002 })
  const briefing = await client.readResource({ uri: `muster://briefing/${parent.id}` })
  expect(briefing.contents).toMatchObject([{ mimeType: 'text/markdown', text: said(`# Card ${parent.id}`) }])
})

describe('inside a run', () => {
  test('`muster mcp` inside a run serves the tools of its agent', async () => {
    const home = makeTestHome('sqlite')
    mkdirSync(join(home.home, 'agents'), { recursive: true })
    writeFileSync(join(home.home, 'agents', 'chief.md'), '---\nharness: shell\ntools: [kanban]\n---\n')
    const lists = `echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | "${process.execPath}" "${BIN}" mcp >listed`
    const { id: plain } = await home.create('plain', '--assignee', 'shell', '--body', lists)
    const { id: whole } = await home.create('whole', '--assignee', 'chief', '--body', lists)
    await home.dispatch('--wait')
    const listed = (id: TaskId) =>
      (JSON.parse(readFileSync(home.workspace(id, 'listed'), 'utf8')) as { result: { tools: unknown[] } }).result.tools
    expect([listed(plain).length, listed(whole).length]).toEqual([10, 22])
  })

  test.each([{}, { MUSTER_SOCKET: '/nowhere/s', MUSTER_NONCE: 'x' }])(
    'muster mcp without a live run (%j) exits with an error',
    async (given) => {
      const home = makeTestHome('sqlite')
      const ended = await home.start(['mcp'], { env: { MUSTER_RUN: 'r_0000000000', ...given } }).ended
      expect(ended).toMatchObject({ code: 4, stdout: '', stderr: said('the run is over') })
    },
  )
})
