import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadOptions } from '../../src/config/load.ts'
import { unwrap } from '../../src/core/command.ts'
import { storeBackend } from '../../src/mcp/store-backend.ts'
import { person } from '../helpers/sample.ts'
import { openTestStore, testFolder } from '../helpers/stores.ts'

test('kanban_create refuses a goal until goals work', async () => {
  const { store } = await openTestStore('sqlite')
  unwrap(await store.decide({ verb: 'create_board', board: 'main', actor: person, input: { slug: 'main' } }))
  const options = await loadOptions({ MUSTER_HOME: testFolder() })
  const backend = storeBackend('main', async () => ({ store, board: 'main', actor: person, options }))
  for (const wish of [
    { goal: true },
    { goal: 'yes' },
    { goalMaxTurns: 5 },
    { goal_max_turns: 5 },
    { judge: 'critic' },
  ]) {
    const refused = backend.callTool('kanban_create', { title: 'x', ...wish })
    await expect(refused).rejects.toThrow(`${Object.keys(wish)[0]} is not available yet: nothing was changed.`)
  }
  expect(await store.tasks('main')).toEqual([])
})

test('what a person’s assistant writes waits where it carries commands, and nowhere else', async () => {
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
