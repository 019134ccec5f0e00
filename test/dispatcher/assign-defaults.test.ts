import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { newTaskId } from '../../src/util/mint.ts'
import { previewPass } from '../../src/dispatcher/preview.ts'
import { tick } from '../../src/dispatcher/tick.ts'
import { person } from '../helpers/sample.ts'
import { openDispatch } from './dispatch-context.ts'
import type { TestDispatch } from './dispatch-context.ts'

const address = { board: 'default', actor: person } as const

async function withDefault(defaultAssignee: string): Promise<TestDispatch & { card: TaskId }> {
  const board = await openDispatch()
  const card = newTaskId()
  unwrap(await board.store.decide({ ...address, verb: 'set_board', input: { settings: { defaultAssignee } } }))
  const cards = [{ id: card, title: 'Unassigned', body: 'true' }]
  unwrap(await board.store.decide({ ...address, verb: 'create', input: { cards } }))
  return { ...board, card }
}

test('an unassigned card is assigned once to the default assignee (scenario 51)', async () => {
  const { context, store, card } = await withDefault('shell')
  let ended = (): void => {}
  const exited = new Promise<void>((resolve) => (ended = resolve))
  const report = await tick({ ...context, onSupervisorExit: () => ended() })
  await exited
  expect(report.autoAssigned).toEqual([{ id: card, board: 'default', agent: 'shell' }])
  expect(report.started).toMatchObject([{ id: card, agent: 'shell' }])
  expect(report.unassigned).toEqual([])
  const assigned = (await store.taskEvents('default', card)).filter(({ kind }) => kind === 'assigned')
  expect(assigned).toMatchObject([{ data: { assignee: 'shell', was: null, source: 'default' } }])
  expect((await tick(context)).autoAssigned).toEqual([])
})

test('a dry run reports the assignment without making it (scenario 51)', async () => {
  const { context, store, card } = await withDefault('shell')
  const before = await store.exportAll()
  const report = await previewPass(context)
  expect(report.autoAssigned).toEqual([{ id: card, board: 'default', agent: 'shell' }])
  expect(report.started).toMatchObject([{ id: card, agent: 'shell', runId: null }])
  expect(await store.exportAll()).toEqual(before)
})

test('a default assignee that does not exist here gets no cards', async () => {
  const { context, store, card } = await withDefault('unknown-agent')
  const report = await tick(context)
  expect(report.autoAssigned).toEqual([])
  expect(report.unassigned).toEqual([card])
  expect(await store.task('default', card)).toMatchObject({ assignee: null })
})

test('a default assignment does not change a card that is already assigned', async () => {
  const { store, card } = await withDefault('shell')
  unwrap(await store.decide({ ...address, verb: 'assign', input: { task: card, assignee: 'ada' } }))
  unwrap(
    await store.decide({ ...address, verb: 'assign', input: { task: card, assignee: 'shell', source: 'default' } }),
  )
  expect(await store.task('default', card)).toMatchObject({ assignee: 'ada' })
})
