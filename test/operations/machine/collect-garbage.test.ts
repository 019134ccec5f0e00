import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadOptions } from '../../../src/config/load.ts'
import { collectGarbage } from '../../../src/operations/machine/collect-garbage.ts'
import { MARKER, TRASH } from '../../../src/workspaces/workspaces-root.ts'
import { attachmentOf, card, person, runOf } from '../../helpers/sample.ts'
import { openTestStore, testFolder } from '../../helpers/stores.ts'
import { Desk } from '../../storage/desk.ts'

const LONG_AGO = new Date(Date.now() - 40 * 86_400_000)

/** Makes a board in a data folder, and a garbage collection for which all files and events are old. */
async function setUp() {
  const home = testFolder()
  const opened = await openTestStore('sqlite')
  const desk = await Desk.open(opened, { trashMs: 0 })
  const options = await loadOptions({ MUSTER_HOME: home })
  const gc = (apply = true, board: string | null = null) =>
    collectGarbage.run(
      {
        options,
        env: {},
        actor: person,
        openStore: (mode) => opened.again({ mode }),
        dispatcher: () => Promise.reject(new Error('nothing is dispatched here')),
      },
      { apply, eventsOlderMs: 0, logsOlderMs: 0, snapshotsOlderMs: 1_000, discard: null, board },
    )
  const at = (...steps: string[]): string => join(home, ...steps)
  const folder = (...steps: string[]): string => {
    mkdirSync(at(...steps), { recursive: true })
    if (steps[2] === 'workspaces') writeFileSync(at(...steps.slice(0, 3), MARKER), '')
    writeFileSync(at(...steps, 'file'), 'x')
    return at(...steps)
  }
  return { home, desk, gc, at, folder }
}

const workspaces = ['boards', 'main', 'workspaces'] as const
const attachments = ['boards', 'main', 'attachments'] as const

test('an interrupted sweep is finished, before or after the folder was moved', async () => {
  const { desk, gc, at, folder } = await setUp()
  for (const name of ['a', 'b']) {
    await desk.card(name)
    await desk.ok('archive', { task: card(name) })
    await desk.ok('sweep', { task: card(name), stage: 'begin' })
  }
  folder(...workspaces, card('a'))
  const aside = folder(...workspaces, TRASH, `${card('b')}-00ff00ff`)
  await desk.ok('unarchive', { task: card('a') })
  const dry = await gc(false)
  expect(dry.workspaces.map(({ path }) => path).sort()).toEqual([aside, at(...workspaces, card('a'))].sort())
  await gc()
  expect(readdirSync(at(...workspaces)).sort()).toEqual([MARKER, TRASH])
  expect(readdirSync(at(...workspaces, TRASH))).toEqual([])
  for (const name of ['a', 'b']) expect([name, (await desk.task(card(name))).workspace.state]).toEqual([name, 'gone'])
})

test('files of a pending completion are kept until the run ends', async () => {
  const { desk, gc, at, folder } = await setUp()
  await desk.run(await desk.card('a'))
  folder(...attachments, card('a'))
  for (const name of ['file', 'other']) {
    writeFileSync(at(...attachments, card('a'), name), 'x')
    utimesSync(at(...attachments, card('a'), name), LONG_AGO, LONG_AGO)
  }
  const file = { id: attachmentOf('f'), filename: 'file', storedPath: `${card('a')}/file`, size: 1 }
  const files = [{ ...file, contentType: null, sha256: null }]
  await desk.ok('complete', { task: card('a'), runId: runOf('c'), files })
  const { attachments: gone } = await gc()
  expect(gone).toEqual([{ path: at(...attachments, card('a'), 'other'), bytes: 1 }])
  expect(readdirSync(at(...attachments, card('a')))).toEqual(['file'])
})

test('a deleted card is kept until its unfinished child no longer needs its files', async () => {
  const { desk, gc, at, folder } = await setUp()
  await desk.complete(await desk.card('p'))
  await desk.card('c', { parents: [card('p')] })
  await desk.ok('delete', { task: card('p') })
  folder(...workspaces, card('p'))
  expect(await gc()).toMatchObject({ trash: [], left: [{ reason: expect.stringContaining(card('c')) }] })
  expect(existsSync(at(...workspaces, card('p'), 'file'))).toBe(true)
  await desk.complete(card('c'))
  expect(await gc()).toMatchObject({ trash: [{ id: card('p') }], left: [] })
  expect(existsSync(at(...workspaces, card('p')))).toBe(false)
  expect(await desk.store.task('main', card('p'), { deleted: true })).toBeNull()
})

test('purging a card deletes its run logs but not a kept workspace', async () => {
  const { desk, gc, at, folder } = await setUp()
  const { runId } = await desk.run(await desk.card('a'))
  await desk.settle({ task: card('a'), runId, fence: { runId, tokenHash: (await desk.runRow(runId)).tokenHash ?? '' } })
  await desk.test.raw(`update task set workspace_state = 'kept' where id = '${card('a')}'`)
  await desk.ok('delete', { task: card('a') })
  folder('runs', runId)
  folder(...workspaces, card('a'))
  folder(...attachments, card('a'))
  expect(await gc()).toMatchObject({ trash: [{ id: card('a'), bytes: 2 }], runDirectories: [] })
  expect(existsSync(at('runs', runId))).toBe(false)
  expect(existsSync(at(...attachments, card('a')))).toBe(false)
  expect(existsSync(at(...workspaces, card('a')))).toBe(true)
})

test('leftover files of a purged card are deleted, and files of unknown cards are kept', async () => {
  const { desk, gc, at, folder } = await setUp()
  for (const name of ['a', 'b']) await desk.card(name)
  await desk.ok('delete', { task: card('a') })
  await desk.ok('purge', { task: card('a') })
  for (const name of ['a', 'stranger']) {
    const path = join(folder(...attachments, card(name)), 'file')
    utimesSync(path, LONG_AGO, LONG_AGO)
  }
  expect((await gc()).attachments).toEqual([{ path: at(...attachments, card('a'), 'file'), bytes: 1 }])
  expect(readdirSync(at(...attachments, card('stranger')))).toEqual(['file'])
})

test('a symbolic link in the data folder is kept and reported', async () => {
  const { desk, gc, home, at } = await setUp()
  await desk.card('a')
  await desk.ok('archive', { task: card('a') })
  const outside = join(testFolder(), card('a'))
  mkdirSync(outside)
  mkdirSync(at('boards', 'main'), { recursive: true })
  symlinkSync(join(outside, '..'), at(...workspaces))
  symlinkSync(join(outside, '..'), join(home, 'runs'))
  const report = await gc()
  expect(report.left.map(({ path }) => path).sort()).toEqual([at('runs'), at(...workspaces)].sort())
  expect(existsSync(outside)).toBe(true)
})

test('files of deleted boards are deleted after seven days, and other trash is kept', async () => {
  const { gc, folder, at } = await setUp()
  const stamp = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace(/[-:]|\.\d+Z$/g, '')
  const old = folder('trash', `my-work-${stamp(7.1)}-4242`)
  const cutOff = folder('trash', `.trash-play-${stamp(9)}-17-00ff00ff`)
  const recent = folder('trash', `my-work-${stamp(6.9)}-4242`)
  const foreign = folder('trash', 'something-of-mine')
  const paths = (report: { deletedBoards: readonly { path: string }[] }) =>
    report.deletedBoards.map(({ path }) => path).sort()
  expect(paths(await gc(false))).toEqual([cutOff, old].sort())
  expect(existsSync(old)).toBe(true)
  const report = await gc()
  expect(paths(report)).toEqual([cutOff, old].sort())
  expect(report.bytes).toBe(2)
  expect(
    readdirSync(at('trash'))
      .map((name) => at('trash', name))
      .sort(),
  ).toEqual([recent, foreign].sort())
})

test('a garbage collection for one board keeps the files of other deleted boards', async () => {
  const { gc, folder } = await setUp()
  const stamp = '20200102T030405'
  const other = folder('trash', `other-${stamp}-1`)
  const mine = folder('trash', `main-${stamp}-1`)
  expect((await gc(true, 'main')).deletedBoards.map(({ path }) => path)).toEqual([mine])
  expect(existsSync(other)).toBe(true)
})
