import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadOptions } from '../../src/config/load.ts'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { storeBackend } from '../../src/mcp/store-backend.ts'
import type { VerbName } from '../../src/core/transitions/index.ts'
import { card, commentOf, person, runOf } from '../helpers/sample.ts'
import { openTestStore, testFolder } from '../helpers/stores.ts'

test('kanban_create takes a goal as separate arguments', async () => {
  const { store } = await openTestStore('sqlite')
  unwrap(await store.decide({ verb: 'create_board', board: 'main', actor: person, input: { slug: 'main' } }))
  const options = await loadOptions({ MUSTER_HOME: testFolder() })
  const backend = storeBackend('main', async () => ({ store, board: 'main', actor: person, options }))
  const goalOf = async (wish: object) => {
    const { id } = (await backend.callTool('kanban_create', { title: 'x', ...wish })) as { readonly id: TaskId }
    return (await store.task('main', id))?.goal
  }
  expect(await goalOf({})).toBeNull()
  expect(await goalOf({ goal: false })).toBeNull()
  expect(await goalOf({ goal: true })).toEqual({ maxTurns: 20, judge: 'model' })
  expect(await goalOf({ goal: 'true', goal_max_turns: 5 })).toEqual({ maxTurns: 5, judge: 'model' })
  expect(await goalOf({ judge: 'checks', checks: ['true'] })).toEqual({ maxTurns: 20, judge: 'checks' })
  await expect(backend.callTool('kanban_create', { title: 'x', judge: 'critic' })).rejects.toThrow('judge')
  await expect(backend.callTool('kanban_create', { title: 'x', judge: 'checks' })).rejects.toThrow('goal has no checks')
})

test('a card of an assistant waits for approval only if it runs commands or has more permissions', async () => {
  const { store } = await openTestStore('sqlite')
  unwrap(await store.decide({ verb: 'create_board', board: 'main', actor: person, input: { slug: 'main' } }))
  const home = testFolder()
  mkdirSync(join(home, 'agents'))
  for (const permissions of ['edit', 'full'])
    writeFileSync(
      join(home, 'agents', `${permissions}.md`),
      `---\nharness: command\nargs: ["true"]\npermissions: ${permissions}\n---\n`,
    )
  const options = await loadOptions({ MUSTER_HOME: home })
  const actor = { kind: 'orchestrator', name: 'assistant of tester', taskId: null, runId: null } as const
  const backend = storeBackend('main', async () => ({ store, board: 'main', actor, options }))
  const waits = async (wish: object): Promise<boolean> =>
    'waitsForApproval' in (await backend.callTool('kanban_create', { title: 'x', ...wish }))
  expect(await waits({ assignee: 'edit', body: 'words' })).toBe(false)
  expect(await waits({ body: 'words' })).toBe(false)
  expect(await waits({ assignee: 'full' })).toBe(true)
  expect(await waits({ assignee: 'shell', body: 'true' })).toBe(true)
  expect(await waits({ assignee: 'edit', checks: ['make'] })).toBe(true)
  expect(await waits({ assignee: 'nobody-yet' })).toBe(true)
})

test('kanban_show shows the answer to a question even after 60 comments', async () => {
  const { store } = await openTestStore('sqlite')
  const task = card('a')
  const decide = async (verb: VerbName, input: unknown): Promise<unknown> =>
    unwrap(await store.decide({ verb, board: 'main', actor: person, input } as Parameters<typeof store.decide>[0]))
  await decide('create_board', { slug: 'main' })
  await decide('create', { cards: [{ id: task, title: 'Serve', parents: [] }] })
  await decide('block', { task, runId: runOf('asked'), reason: 'Which port?' })
  await decide('unblock', { task, answer: { id: commentOf('answer'), text: 'Use 8080.' } })
  for (let at = 0; at < 60; at += 1) await decide('comment', { task, id: commentOf(at), body: `note ${at}` })
  const options = await loadOptions({ MUSTER_HOME: testFolder() })
  const backend = storeBackend('main', async () => ({ store, board: 'main', actor: person, options }))
  const { text } = (await backend.callTool('kanban_show', { task, part: 'answers' })) as { text: string }
  expect(text).toMatch(/^Question from ada:\nWhich port\?\n/)
  expect(text).toContain(':\nUse 8080.')
  expect(JSON.stringify(await backend.callTool('kanban_show', { task }))).toContain('Use 8080.')
})
