// A database file that is damaged while `muster up` has it open: no command reports that all is well.
import { execFileSync } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '../../src/storage/sqlite/connection.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { says, shell, up } from './dispatching.ts'

const PAGE = 4096

/** Everything that was committed lies in the file itself: pages in its log would hide the damage. */
async function foldLog(path: string): Promise<void> {
  const connection = connect(path, 'rw')
  connection.exec('pragma busy_timeout = 10000; pragma wal_checkpoint(truncate)')
  await connection.close()
}

/** By another process: this one may have the store open, and must not touch its file. */
async function damage(home: TestHome, firstPage: number): Promise<void> {
  const path = join(home.home, 'muster.db')
  await foldLog(path)
  const pages = statSync(path).size / PAGE - firstPage
  const words = ['if=/dev/urandom', `of=${path}`, `bs=${PAGE}`, `seek=${firstPage}`, `count=${pages}`, 'conv=notrunc']
  execFileSync('dd', words, { stdio: 'pipe' })
}

test('why names the damage of a store that can still be read', async () => {
  const home = makeTestHome('sqlite')
  const { id } = await shell(home, 'waits', 'true')
  const marker = { sha256: 'other', backup: 'muster.db.corrupt.1.bak', reason: 'page 7 is torn' }
  writeFileSync(join(home.home, 'muster.db.corrupt.json'), JSON.stringify(marker))
  const { code, stdout } = await home.muster('why', id)
  expect([code, stdout]).toEqual([0, expect.stringMatching(/is damaged \(page 7 is torn\).*\n?.*muster backup list/)])
  expect(stdout).not.toContain("Muster isn't running")
})

test.each([
  ['as a whole', 0],
  ['behind its first page', 1],
])('a store that is damaged %s under a live muster up is reported by every command, and up ends', async (_, first) => {
  const home = makeTestHome('sqlite')
  await home.muster('init')
  const { id } = await shell(home, 'waits', 'true', '--parent', (await home.create('first')).id)
  const running = up(home)
  await says(home, running, 'Running cards')
  await damage(home, first)
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
