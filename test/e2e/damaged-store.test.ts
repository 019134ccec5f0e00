// Tests a database file that is damaged while `muster up` has it open: no command reports that all is well.
import { execFileSync } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { connect } from '../../src/storage/sqlite/connection.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { createShellCard, startUp, untilPrinted } from '../helpers/run-cards.ts'

const PAGE = 4096

const fileOf = ({ home }: TestHome): string => join(home, 'muster.db')

/**
 * Moves all committed pages into the database file, because pages in its log would hide the damage. Returns the root
 * page of a table, counted from 0.
 */
async function foldLog(path: string, table = 'task'): Promise<number> {
  const connection = connect(path, 'rw')
  connection.exec('pragma busy_timeout = 10000; pragma wal_checkpoint(truncate)')
  const [row] = connection.query(sql`select rootpage from sqlite_schema where name = ${table}`)
  await connection.close()
  return Number(row?.['rootpage']) - 1
}

/** Writes the damage in another process, because closing the file here would drop the locks of the open store. */
function overwrite(path: string, firstPage: number, pages: number): void {
  const words = ['if=/dev/urandom', `of=${path}`, `bs=${PAGE}`, `seek=${firstPage}`, `count=${pages}`, 'conv=notrunc']
  execFileSync('dd', words, { stdio: 'pipe' })
}

async function damageFrom(home: TestHome, firstPage: number): Promise<void> {
  await foldLog(fileOf(home))
  overwrite(fileOf(home), firstPage, statSync(fileOf(home)).size / PAGE - firstPage)
}

async function damageTable(home: TestHome, table: string): Promise<void> {
  overwrite(fileOf(home), await foldLog(fileOf(home), table), 1)
}

test('`why` reports the damage of a store that can still be read', async () => {
  const home = makeTestHome('sqlite')
  const { id } = await createShellCard(home, 'waits', 'true')
  const marker = { sha256: 'other', backup: 'muster.db.corrupt.1.bak', reason: 'page 7 is torn' }
  writeFileSync(join(home.home, 'muster.db.corrupt.json'), JSON.stringify(marker))
  const { code, stdout } = await home.muster('why', id)
  expect([code, stdout]).toEqual([0, expect.stringMatching(/is damaged \(page 7 is torn\).*\n?.*muster backup list/)])
  expect(stdout).not.toContain("Muster isn't running")
})

test.each([
  ['completely', 0],
  ['after its first page', 1],
])('every command reports a store damaged %s, and muster up ends', async (_, first) => {
  const home = makeTestHome('sqlite')
  await home.muster('init')
  const { id } = await createShellCard(home, 'waits', 'true', '--parent', (await home.create('first')).id)
  const running = startUp(home)
  await untilPrinted(home, running, 'Running cards')
  await damageFrom(home, first)
  const said = await Promise.all(
    [['why', id], ['doctor'], ['create', 'another', '--assignee', 'shell', '--body', 'true'], ['list']].map((words) =>
      home.muster(...words),
    ),
  )
  for (const { code, stdout, stderr } of said) {
    expect(code).not.toBe(0)
    expect(stdout + stderr).toMatch(/damaged|not a database/)
  }
  const { code, stderr } = await running.ended
  expect([code, stderr]).toEqual([1, expect.stringContaining('damaged')])
  expect(existsSync(join(home.home, 'muster.db.corrupt.json'))).toBe(true)
})

test('`muster up` ends when any command finds damage in the store', async () => {
  const home = makeTestHome('sqlite')
  const { id } = await home.create('first')
  const running = startUp(home, { MUSTER_DISPATCHER_LEASE_MS: '600' })
  await untilPrinted(home, running, 'Running cards')
  await damageTable(home, 'comment')
  expect(await home.muster('comment', id, 'hello')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('damaged'),
  })
  await home.until('up has ended', () => running.child.exitCode !== null)
  expect(await running.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('damaged') })
})
