/** Tests that a process that is stopped during a decision does not block the board. */
import { expect, inject, it, onTestFinished } from 'vitest'
import { isDisconnect } from '../../../src/storage/postgres/errors.ts'
import { BEGIN_WRITING, Pool } from '../../../src/storage/postgres/pool.ts'
import { sql } from '../../../src/storage/sql.ts'
import { all } from '../../../src/storage/tx.ts'
import { Desk } from '../desk.ts'
import { openTestStore } from '../../helpers/stores.ts'

it('the server releases the locks of a stopped writer', async () => {
  const test = await openTestStore('postgres')
  const desk = await Desk.open(test)
  await desk.card('a')
  if (test.location.engine !== 'postgres') throw new Error('not a server')
  const pool = new Pool({ url: inject('postgresUrl'), schema: test.location.schema, readOnly: false }, 2)
  onTestFinished(() => pool.end(1))
  const failed = pool.use(async (stopped) => {
    await stopped.sendAll([BEGIN_WRITING, sql`select id from task for update`])
    // The query waits until the server has ended the other transaction.
    const taken = await pool.write(() => all(sql`select id from task for update`))
    expect(taken).toHaveLength(1)
    await stopped.sendAll(['commit'])
  })
  await expect(failed).rejects.toSatisfy(isDisconnect)
})
