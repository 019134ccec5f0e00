// Tests the board tools through the official client over stdio. The agents wait while the test calls their tools.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { unwrap } from '../../src/core/command.ts'
import type { McpEntry } from '../../src/harnesses/mcp-entry.ts'
import { clockwork } from '../helpers/sample.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { isGone } from '../helpers/run-cards.ts'
import { connectTools, entryOf, letGo, writeToolAgent } from './tools.ts'
import type { Tools } from './tools.ts'

const said = (words: string): unknown => expect.stringContaining(words)

/** All tests share one home, because starting the runs is slow. Some tests use cards that an earlier test created. */
describe('the tools of a run', () => {
  let home: TestHome
  const whenOver: (() => void | Promise<void>)[] = []
  const cards: Record<string, TaskId> = {}
  const entries: Record<string, McpEntry> = {}
  const tools: Record<string, Tools> = {}
  const own = (name: string): TaskId => cards[name] as TaskId
  const of = (name: string): Tools => tools[name] as Tools

  beforeAll(async () => {
    home = makeTestHome('sqlite', (finish) => whenOver.push(finish))
    home.env['MUSTER_MACHINE_CAP'] = '12'
    writeToolAgent(home, 'maker')
    writeToolAgent(home, 'critic')
    writeToolAgent(home, 'chief', 'tools: [kanban]')
    const parent = await home.create('before it')
    writeFileSync(join(home.home, 'notes.txt'), 'what came before')
    await home.runInline('complete', parent.id, '--summary', 'laid out', '--artifact', join(home.home, 'notes.txt'))
    cards['parent'] = parent.id
    const project = join(home.home, '..', 'project')
    mkdirSync(project)
    const create = async (name: string, ...flags: string[]): Promise<void> => {
      cards[name] = (await home.create(name, ...flags)).id
    }
    await create(
      'work',
      '--assignee',
      'maker',
      '--parent',
      parent.id,
      '--tenant',
      'acme',
      '--body',
      'Make it.',
      '--session',
      's-1',
      '--workspace',
      `dir:${project}`,
    )
    for (const name of ['asks', 'blocks', 'checked']) await create(name, '--assignee', 'maker')
    await create('review', '--assignee', 'maker', '--reviewer', 'critic')
    await create('sent back', '--assignee', 'maker', '--reviewer', 'critic')
    for (const name of ['review', 'sent back']) await home.runInline('request-review', own(name))
    await create('steer', '--assignee', 'chief')
    await create('foreign')
    await home.runInline('boards', 'create', 'other')
    cards['elsewhere'] = (await home.create('elsewhere', '--board', 'other')).id
    await home.dispatch()
    const running = ['work', 'asks', 'blocks', 'checked', 'review', 'sent back', 'steer']
    for (const name of running) {
      entries[name] = await entryOf(home, own(name))
      tools[name] = await connectTools(entries[name])
    }
  })

  afterAll(async () => {
    await Promise.all(Object.values(tools).map((each) => each.close()))
    for (const finish of whenOver) await finish()
  })

  test('each role gets exactly its own tools', async () => {
    const names = async (name: string) => (await of(name).client.listTools()).tools.map((tool) => tool.name).toSorted()
    const everybody = ['attach', 'attachments', 'block', 'comment', 'complete', 'create', 'heartbeat', 'link', 'show']
    const kanban = (words: readonly string[]) => words.map((word) => `kanban_${word}`).toSorted()
    expect(await names('work')).toEqual(kanban([...everybody, 'request_review']))
    expect(await names('review')).toEqual(kanban([...everybody, 'request_changes']))
    expect(await names('steer')).toEqual(
      kanban([
        ...everybody,
        'request_review',
        'request_changes',
        'list',
        'unblock',
        'agents',
        'specify',
        'decompose',
        'recur',
        'series',
        'apply',
        'tournament',
        'swarm',
        'blackboard',
      ]),
    )
    expect(of('work').client.getInstructions()).toContain('one card')
    expect(of('review').client.getInstructions()).toContain('review')
    expect(of('steer').client.getInstructions()).toContain('assign the work')
    expect(of('work').client.getServerVersion()).toMatchObject({ name: 'muster' })
  })

  test("kanban_show shows every card of the run's board, and no others", async () => {
    expect(await of('work').call('kanban_show')).toMatchObject({
      id: own('work'),
      title: 'work',
      status: 'running',
      body: 'Make it.',
      tenant: 'acme',
      parents: [own('parent')],
      runs: [{ attempt: 1, agent: 'maker', outcome: 'open' }],
    })
    expect(await of('work').call('kanban_show', { task: own('foreign') })).toMatchObject({ title: 'foreign' })
    for (const name of ['work', 'review', 'steer'])
      expect(await of(name).call('kanban_show', { task: own('elsewhere') })).toEqual({
        error: `There is no card ${own('elsewhere')}. Use an id that a tool gave you. (task_not_found)`,
      })
  })

  test('no tool can read or change another board', async () => {
    for (const name of ['work', 'review', 'steer']) {
      expect(await of(name).call('kanban_show', { board: 'other' })).toEqual({
        error: 'Only board default is available here, not other. (not_allowed)',
      })
      expect(await of(name).call('kanban_comment', { task: own('elsewhere'), body: 'x' })).toHaveProperty('error')
      expect(await of(name).call('kanban_create', { title: 'x', parents: own('elsewhere') })).toHaveProperty('error')
    }
    expect(await of('work').call('kanban_show', { board: 'default' })).toMatchObject({ id: own('work') })
    const { events } = await home.show(own('elsewhere'))
    expect(events.map(({ kind }) => kind)).toEqual(['created'])
  })

  test('kanban_comment writes on any card of its board, as the agent', async () => {
    expect(await of('work').call('kanban_comment', { task: own('foreign'), body: 'seen it' })).toEqual({
      id: own('foreign'),
      comment: said('c_'),
    })
    expect(await of('work').call('kanban_comment', { body: 'a note to myself' })).toMatchObject({ id: own('work') })
    expect((await home.show(own('foreign'))).comments).toMatchObject([{ author: 'agent:maker', body: 'seen it' }])
    expect(await of('work').call('kanban_comment', { body: 'x', author: 'boss' })).toEqual({
      error: 'kanban_comment has no argument author. Nothing was changed. It takes task, body. (invalid_input)',
    })
  })

  test("kanban_heartbeat accepts only the agent's own card", async () => {
    expect(await of('work').call('kanban_heartbeat', { note: 'half way' })).toEqual({
      id: own('work'),
      status: 'running',
    })
    const { events } = await home.show(own('work'))
    expect(events.findLast(({ kind }) => kind === 'heartbeat')).toMatchObject({ data: { note: 'half way' } })
    expect(await of('work').call('kanban_heartbeat', { task: own('asks') })).toHaveProperty('error')
  })

  test('kanban_attach stores a file, and kanban_attachments lists the file', async () => {
    const path = join(home.home, 'plan.md')
    writeFileSync(path, '# Plan')
    expect(await of('work').call('kanban_attach', { path })).toEqual({ id: own('work'), name: 'plan.md', bytes: 6 })
    expect(await of('work').call('kanban_attach', { path, name: 'b.md' })).toMatchObject({ name: 'b.md' })
    expect(await of('work').call('kanban_attachments')).toMatchObject({
      attachments: [
        { name: 'plan.md', bytes: 6, path: said('/attachments/') },
        { name: 'b.md', bytes: 6 },
      ],
    })
    expect(await of('work').call('kanban_attachments', { task: own('parent') })).toMatchObject({
      attachments: [{ name: 'notes.txt' }],
    })
    expect(await of('work').call('kanban_attach', { path: 'plan.md' })).toEqual({
      error: said('give its absolute path'),
    })
    expect(await of('work').call('kanban_attach', { path: '/no/such/file' })).toEqual({
      error: said('it does not exist'),
    })
    expect(await of('work').call('kanban_attach', { path, task: own('foreign') })).toHaveProperty('error')
    expect((await home.show(own('foreign'))).attachments).toEqual([])
  })

  test('kanban_create sets every field and inherits tenant and workspace', async () => {
    const made = await of('work').call('kanban_create', {
      title: 'after it',
      body: 'Go on.',
      assignee: 'maker',
      parents: own('work'),
      priority: '3',
      skills: [],
      idempotency_key: 'once',
    })
    expect(made).toMatchObject({ created: true, status: 'todo', assignee: 'maker', parents: [own('work')] })
    cards['made'] = made['id'] as TaskId
    expect(await home.show(own('made'))).toMatchObject({
      title: 'after it',
      body: 'Go on.',
      priority: 3,
      tenant: 'acme',
      session: 's-1',
      goal: null,
      workspace: { kind: 'dir', path: said('/project') },
      createdBy: 'agent:maker',
    })
    expect(await of('work').call('kanban_create', { title: 'after it', idempotencyKey: 'once' })).toMatchObject({
      created: false,
      id: own('made'),
    })
    const idea = await of('work').call('kanban_create', { title: 'an idea', initialStatus: 'triage' })
    expect(idea).toMatchObject({ status: 'triage' })
    expect(await home.show(idea['id'] as TaskId)).toMatchObject({ tenant: 'acme', session: 's-1' })
    const apart = await of('work').call('kanban_create', { title: 'apart', workspace: 'scratch' })
    expect(await home.show(apart['id'] as TaskId)).toMatchObject({ workspace: { kind: 'scratch' } })
    const waits = await of('work').call('kanban_create', { title: 'waits', initial_status: 'Blocked' })
    expect(waits).toMatchObject({ status: 'blocked' })
    const checked = await of('work').call('kanban_create', { title: 'checked', checks: 'npm test', assignee: 'maker' })
    expect(checked).toMatchObject({ waitsForApproval: true })
    expect(await of('work').call('kanban_create', { title: 'x', workspace: 'somewhere' })).toEqual({
      error: said('workspace must be scratch'),
    })
  })

  test('kanban_link links cards that the run created, and refuses other cards and cycles', async () => {
    const second = await of('work').call('kanban_create', { title: 'second' })
    const id = second['id'] as TaskId
    expect(await of('work').call('kanban_link', { parent_id: own('made'), child_id: id })).toMatchObject({
      id,
      status: 'todo',
      parents: [own('made')],
    })
    expect(await of('work').call('kanban_link', { parent: id, child: own('made') })).toEqual({ error: said('cycle') })
    const strange = await of('work').call('kanban_link', { parent: own('made'), child: own('foreign') })
    expect(strange).toEqual({ error: said('not_allowed') })
    expect(await home.show(own('foreign'))).toMatchObject({ status: 'ready', parents: [] })
  })

  test('only an orchestrator can list cards, unblock them and list agents', async () => {
    const listed = await of('steer').call('kanban_list', { status: 'Running', limit: '2' })
    expect(listed).toMatchObject({ tasks: [{ status: 'running' }, { status: 'running' }] })
    const rest = await of('steer').call('kanban_list', { status: 'running', after: listed['next'] })
    expect((rest['tasks'] as unknown[]).length).toBeGreaterThan(2)
    expect(rest).not.toHaveProperty('next')
    expect(await of('steer').call('kanban_list', { text: 'foreign' })).toMatchObject({ tasks: [{ title: 'foreign' }] })
    expect(await of('steer').call('kanban_list', { status: 'sleeping' })).toEqual({ error: said('status') })
    const { agents } = (await of('steer').call('kanban_agents')) as { agents: { name: string }[] }
    expect(agents.map(({ name }) => name)).toEqual(expect.arrayContaining(['maker', 'critic', 'chief']))

    await home.runInline('block', own('foreign'), 'which one')
    expect(await of('steer').call('kanban_unblock', { task: own('foreign'), reason: 'the red one' })).toEqual({
      id: own('foreign'),
      status: 'ready',
    })
    expect(await of('steer').call('kanban_unblock')).toEqual({ error: said('kanban_unblock needs task') })
    for (const name of ['kanban_list', 'kanban_agents', 'kanban_unblock'])
      expect(await of('work').call(name, { task: own('foreign') })).toEqual({
        error: `A worker may not use ${name}. Use kanban_comment or kanban_block instead. (not_allowed)`,
      })
  })

  test.each<[string, string, Record<string, unknown>, string]>([
    ['a text for a number', 'kanban_create', { title: 'x', priority: 'high' }, 'priority'],
    ['a number for an object', 'kanban_complete', { summary: 'x', metadata: 3 }, 'metadata'],
    ['words for an object', 'kanban_complete', { summary: 'x', metadata: 'three tests' }, 'metadata'],
    ['an object for a text', 'kanban_comment', { body: { text: 'x' } }, 'body'],
    ['an object in a list', 'kanban_create', { title: 'x', parents: [{ id: 't_x' }] }, 'parents'],
    ['a missing required argument', 'kanban_complete', {}, 'kanban_complete needs summary'],
    ['null for a required argument', 'kanban_block', { reason: null }, 'kanban_block needs reason'],
    ['an empty text', 'kanban_request_review', { summary: '  ' }, 'kanban_request_review needs summary'],
    ['an unknown argument', 'kanban_complete', { summary: 'x', force: 'yes' }, 'has no argument force'],
    ['an invalid card id', 'kanban_show', { task: 'the first one' }, 'There is no card the first one'],
    ['an unknown card', 'kanban_show', { task: 't_0000000000' }, 'There is no card t_0000000000'],
    ['an unknown choice', 'kanban_block', { reason: 'x', kind: 'tired' }, 'kind'],
    ['a NUL character', 'kanban_comment', { body: 'a\u0000b' }, 'bad_text'],
    ['an argument under two names', 'kanban_show', { task: 't_1', id: 't_2' }, 'task was given twice'],
  ])('a call with %s is refused with a clear message', async (_, tool, given, words) => {
    const { error } = await of('work').call(tool, given)
    expect(error).toEqual(said(words))
    expect(String(error).length).toBeLessThan(300)
  })

  test('a body of one megabyte is stored, and a larger message is refused', async () => {
    const body = 'ä'.repeat(512 * 1024)
    const { id } = await of('work').call('kanban_create', { title: 'long', body, initialStatus: 'triage' })
    expect((await home.show(id as TaskId)).body).toBe(body)
    expect(JSON.stringify(await of('work').call('kanban_show', { task: id })).length).toBeLessThan(20_000)
    expect(await of('work').call('kanban_comment', { body: 'x'.repeat(8_388_300) })).toEqual({
      error: said('attach a file'),
    })
    expect(await of('work').call('kanban_show')).toMatchObject({ status: 'running' })
  })

  test("the resources of a run are its briefing and its parents' files", async () => {
    const { resources } = await of('work').client.listResources()
    expect(resources).toMatchObject([
      { name: 'briefing', mimeType: 'text/markdown' },
      { name: 'notes.txt', description: `From ${own('parent')}`, size: 16 },
    ])
    const [briefing, notes] = await Promise.all(
      resources.map(async ({ uri }) => (await of('work').client.readResource({ uri })).contents[0]),
    )
    expect(briefing).toMatchObject({ text: said(`# Card ${own('work')}`) })
    expect(notes).toMatchObject({ text: 'what came before' })
    expect((await of('steer').client.listResources()).resources).toHaveLength(1)
    const { resourceTemplates } = await of('work').client.listResourceTemplates()
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'muster://briefing/{card}' }])
    for (const uri of [
      'muster://attachment/t_0/x',
      'muster://attachment/%/%',
      'file:///etc/passwd',
      'muster://briefing/',
    ])
      await expect(of('work').client.readResource({ uri })).rejects.toMatchObject({ code: -32_002 })
  })

  test('every client gets the list of prompts', async () => {
    const { prompts } = await of('work').client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['work', 'triage', 'plan'])
    const { messages } = await of('work').client.getPrompt({ name: 'plan', arguments: { goal: 'a shed' } })
    expect(messages).toMatchObject([{ role: 'user', content: { text: said('a shed') } }])
  })

  test("a verdict on another agent's card is refused and changes nothing", async () => {
    const before = await home.show(own('asks'))
    for (const [tool, given] of [
      ['kanban_complete', { summary: 'x' }],
      ['kanban_block', { reason: 'x' }],
      ['kanban_request_review', { summary: 'x' }],
    ] as const)
      expect(await of('work').call(tool, { ...given, task: own('asks') })).toEqual({
        error: said(`not ${own('asks')}: comment on that card instead. (not_allowed)`),
      })
    expect(await home.show(own('asks'))).toMatchObject({ status: 'running', runs: before.runs })
  })

  test('a repeated kanban_complete is recorded once and reports unknown cards', async () => {
    const phantom = await of('work').call('kanban_complete', { summary: 'made it', created_cards: [own('foreign')] })
    expect(phantom).toEqual({ error: said('phantom_cards') })
    const path = join(home.home, 'result.txt')
    writeFileSync(path, 'the result')
    const done = { summary: 'made it', metadata: '{"tests": 3}', artifacts: path, createdCards: own('made') }
    const first = await of('work').call('kanban_complete', done)
    expect(first).toMatchObject({ id: own('work'), status: 'running', recorded: said('Recorded complete') })
    expect(await of('work').call('kanban_complete', done)).toEqual(first)
    await letGo(home, own('work'))
    await home.until('it is done', async () => (await home.show(own('work'))).status === 'done')
    const shown = await home.show(own('work'))
    expect(shown).toMatchObject({ result: 'made it', metadata: { tests: 3, artifacts: ['result.txt'] } })
    expect(shown.attachments.filter(({ filename }) => filename === 'result.txt')).toHaveLength(1)
    expect((await home.show(own('made'))).status).toBe('ready')
  })

  test('the tools end with their run, and later calls fail', async () => {
    await expect(of('work').call('kanban_show')).rejects.toThrow(/connect|closed/i)
    expect(isGone(of('work').pid)).toBe(true)
    const late = await connectTools(entries['work'] as McpEntry)
    expect(await late.call('kanban_comment', { body: 'still here' })).toEqual({ error: said('run_over') })
    expect(await late.call('kanban_comment', { body: 'still here' })).toEqual({ error: said('stop here') })
    await expect(late.client.listResources()).rejects.toThrow('the run is over')
    expect((await late.client.listTools()).tools).toHaveLength(10)
    await late.close()
  })

  test('kanban_request_review and kanban_block settle when the run ends', async () => {
    expect(
      await of('asks').call('kanban_request_review', { summary: 'have a look', reviewer: 'critic' }),
    ).toMatchObject({ status: 'running', recorded: said('Recorded request review') })
    expect(await of('blocks').call('kanban_block', { reason: 'which colour?', kind: 'needs input' })).toMatchObject({
      recorded: said('Recorded block'),
    })
    for (const name of ['asks', 'blocks']) await letGo(home, own(name))
    await home.until('it is in review', async () => (await home.show(own('asks'))).status === 'review')
    await home.until('it is blocked', async () => (await home.show(own('blocks'))).status === 'blocked')
    expect(await home.show(own('blocks'))).toMatchObject({ blockReason: 'which colour?', blockKind: 'needs_input' })
    expect(await home.show(own('asks'))).toMatchObject({ reviewer: 'critic', result: 'have a look' })
  })

  test('a reviewer can approve or request changes, but not request a review', async () => {
    expect(await of('review').call('kanban_request_review', { summary: 'x' })).toEqual({
      error: said('A reviewer may not use'),
    })
    expect(await of('checked').call('kanban_request_changes', { reason: 'x' })).toEqual({
      error: said('A worker may not use'),
    })
    expect(await of('review').call('kanban_complete', { summary: 'reads well' })).toMatchObject({
      recorded: said('Recorded complete'),
    })
    expect(await of('sent back').call('kanban_request_changes', { reason: 'one more line' })).toMatchObject({
      recorded: said('Recorded request changes'),
    })
    for (const name of ['review', 'sent back']) await letGo(home, own(name))
    await home.until('it is approved', async () => (await home.show(own('review'))).status === 'done')
    await home.until('it is sent back', async () => (await home.show(own('sent back'))).status === 'ready')
  })

  test('an orchestrator can complete its own card and block other cards', async () => {
    expect(await of('steer').call('kanban_block', { task: own('foreign'), reason: 'not now' })).toMatchObject({
      id: own('foreign'),
      status: 'blocked',
    })
    expect(await of('steer').call('kanban_complete', { summary: 'routed' })).toMatchObject({
      recorded: said('Recorded complete'),
    })
  })

  test('a superseded run changes nothing, and its calls are recorded', async () => {
    const { run } = await home.liveRun(own('checked'))
    const fence = { runId: run.id, tokenHash: run.tokenHash ?? '' }
    const input = { task: own('checked'), runId: run.id, by: { fence }, ending: { how: 'interrupted' } } as const
    // Settles the run behind the back of its supervisor.
    unwrap(await (await home.store()).decide({ verb: 'settle', board: 'default', actor: clockwork, input }))
    for (const [tool, given] of [
      ['kanban_complete', { summary: 'late' }],
      ['kanban_heartbeat', {}],
      ['kanban_create', { title: 'late' }],
    ] as const)
      expect(await of('checked').call(tool, given)).toEqual({ error: said('run_superseded') })
    const { status, events } = await home.show(own('checked'))
    expect(status).toBe('ready')
    expect(events.filter(({ kind }) => kind === 'late_result').length).toBeGreaterThanOrEqual(2)
    expect(await of('checked').call('kanban_show')).toMatchObject({ status: 'ready' })
  })
})
