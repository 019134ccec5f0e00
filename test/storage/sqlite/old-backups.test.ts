/** Tests that a backup of any earlier version can be verified and restored. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inspectBackup, restoreStore } from '../../../src/storage/backup.ts'
import { CODE_VERSION } from '../../../src/storage/migrate.ts'
import { openStore } from '../../../src/storage/open.ts'
import { connect } from '../../../src/storage/sqlite/connection.ts'
import { MIGRATIONS, migrate } from '../../../src/storage/sqlite/migrations.ts'
import { sql } from '../../../src/storage/sql.ts'
import { card } from '../../helpers/sample.ts'
import { openTestStore, testFolder } from '../../helpers/stores.ts'
import { Desk } from '../desk.ts'

const TABLES = ['meta', 'board', 'task', 'run', 'event', 'dispatcher', 'slot']

/** Makes a store of an older version with the rows of a current store, in the columns that the older version has. */
async function makeOldStore(version: number, current: string): Promise<string> {
  const path = join(testFolder(), 'old.db')
  const connection = connect(path, 'rwc')
  migrate(connection, MIGRATIONS.slice(0, version))
  connection.exec(`attach '${current}' as current; delete from meta`)
  for (const table of TABLES) {
    const columns = connection.query(sql`select name from pragma_table_info(${table})`).map(({ name }) => name)
    connection.exec(`insert into main.${table} (${columns.join()}) select ${columns.join()} from current.${table}`)
  }
  connection.exec(`update meta set value = '1' where key = 'min_code'; detach current`)
  await connection.close()
  return path
}

it.each(MIGRATIONS.map(({ version }) => version).filter((version) => version < CODE_VERSION))(
  'a backup of version %i is verified and restored with its cards',
  async (version) => {
    const test = await openTestStore('sqlite')
    const desk = await Desk.open(test)
    await desk.card('a', { title: 'Precious' })
    await desk.claim(card('a'))
    if (test.location.engine !== 'sqlite') throw new Error('not a file')
    const location = { engine: 'sqlite', path: join(testFolder(), 'muster.db') } as const
    const backup = await makeOldStore(version, test.location.path)
    expect(await inspectBackup(location, backup)).toMatchObject({ boards: 1, cards: 1, openRuns: 1, findings: [] })
    await restoreStore(location, backup)
    const store = await openStore(location, { mode: 'read' })
    expect(await store.task('main', card('a'))).toMatchObject({ title: 'Precious', status: 'ready' })
    expect(await store.openRuns(null)).toEqual([])
    expect(await store.tasks('main', { text: 'precious' })).toHaveLength(1)
    await store.close()
  },
)
