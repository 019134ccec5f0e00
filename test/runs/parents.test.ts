import { expect, test } from 'vitest'
import { briefCard } from '../../src/supervisor/brief-card.ts'
import { noteParents } from '../../src/runs/parents.ts'
import { archiveFolder } from '../../src/workspaces/files/snapshots.ts'
import { card, clockwork } from '../helpers/sample.ts'
import { openTestStore, testFolder } from '../helpers/stores.ts'
import { Desk } from '../storage/desk.ts'

test('a child gets the workspace paths of its parents while the workspaces exist', async () => {
  const home = testFolder()
  const desk = await Desk.open(await openTestStore('sqlite'))
  const a = await desk.card('a')
  const run = await desk.run(a)
  await desk.settle(run, { verdict: { kind: 'complete', summary: 'laid out' }, ending: { how: 'exited', exitCode: 0 } })
  await desk.test.raw(`update task set workspace_path = '/w/${a}' where id = '${a}'`)
  await desk.card('b', { parents: [a] })
  const child = await desk.task(card('b'))
  expect(await noteParents(desk.store, { home, machine: 'laptop' }, child)).toMatchObject([
    { id: a, workspace: `/w/${a}`, artifacts: [], summary: 'laid out' },
  ])
  await desk.test.raw(`update task set workspace_state = 'gone' where id = '${a}'`)
  expect(await noteParents(desk.store, { home, machine: 'laptop' }, child)).toMatchObject([
    { id: a, workspace: null, summary: 'laid out' },
  ])
})

test('the briefing of a reopened card names the snapshot of its earlier workspace', async () => {
  const home = testFolder()
  const desk = await Desk.open(await openTestStore('sqlite'))
  const a = await desk.card('a')
  const brief = async () =>
    (await briefCard(desk.store, { home, task: await desk.task(a), role: 'work', agent: null })).text
  expect(await brief()).not.toContain('Earlier workspace')
  const { path } = await archiveFolder({ home, board: 'main', task: a }, testFolder(), { files: 0, bytes: 0 })
  await desk.complete(a)
  await desk.ok('sweep', { task: a, stage: 'begin' }, clockwork)
  await desk.ok('sweep', { task: a, stage: 'end' }, clockwork)
  await desk.ok('reopen', { task: a })
  expect(await brief()).toContain(`Copy of the earlier workspace: \`${path}\``)
})
