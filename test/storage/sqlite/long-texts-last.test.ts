// Tests cards with a body of a megabyte. No list may become slower because of such a card.
import { expect, test } from 'vitest'
import { MIGRATIONS, migrate } from '../../../src/storage/sqlite/migrations.ts'
import { connect } from '../../../src/storage/sqlite/connection.ts'
import { sql } from '../../../src/storage/sql.ts'
import { card, person, runOf } from '../../helpers/sample.ts'
import { openTestStore } from '../../helpers/stores.ts'
import { Desk } from '../desk.ts'

const lastColumns = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.slice(-3).map(({ name }) => name)
const COLUMNS = `select name from pragma_table_info('task') order by cid`

test('the long texts of a card are at the end of its row', async () => {
  const { raw } = await openTestStore('sqlite')
  expect(lastColumns(await raw(COLUMNS))).toEqual(['metadata', 'result', 'body'])
})

test('a migration that adds a column keeps the long texts at the end, with their content and index', async () => {
  const test = await openTestStore('sqlite')
  const desk = await Desk.open(test)
  await desk.card('a', { body: 'Dig before you plant.' })
  const done = { task: card('a'), runId: runOf('x'), result: 'Dug and planted.', metadata: { holes: 3 } }
  await desk.ok('complete', done, person)
  const before = await desk.store.task('main', card('a'))
  if (test.location.engine !== 'sqlite') throw new Error('not a file')
  const connection = connect(test.location.path, 'rw')
  const added = { version: 1_000, name: 'shade', text: 'alter table task add column shade text', minCode: 1 }
  try {
    migrate(connection, [...MIGRATIONS, added])
    const columns = connection.query(sql`select name from pragma_table_info('task') order by cid`)
    expect(lastColumns(columns)).toEqual(['metadata', 'result', 'body'])
    expect(columns.map(({ name }) => name)).toContain('shade')
  } finally {
    await connection.close()
  }
  expect(await desk.store.task('main', card('a'))).toEqual(before)
  await desk.ok('edit', { task: card('a'), set: { body: 'Water it.' } })
  expect(await desk.store.tasks('main', { text: 'water it' })).toHaveLength(1)
  expect(await desk.store.tasks('main', { text: 'before you plant' })).toHaveLength(0)
  expect(await desk.store.tasks('main', { text: 'dug and' })).toHaveLength(1)
  expect(await desk.store.groups('main')).toMatchObject([{ status: 'done', count: 1 }])
})
