// Tests that reading the store file under another name does not release the locks of a process. The test process never
// opens the store, because its own locks would hide the defect.
import { execFileSync } from 'node:child_process'
import { existsSync, linkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { TaskDetails } from '../../src/operations/shared/views.ts'
import { BIN, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'

/**
 * A script of commands that other processes run on the store. If the supervisor had lost its locks, the first command
 * would act as the last user of the store and delete the log. The supervisor would then overwrite the writes of the
 * second command.
 */
function others({ home }: TestHome): string {
  const muster = `env -i PATH="$PATH" HOME=/nonexistent MUSTER_HOME="${home}" "${process.execPath}" "${BIN}"`
  return `${muster} init && ${muster} create "made meanwhile" && ${muster} list --json >/dev/null`
}

/** Expects that every committed row exists and the database is intact. */
async function expectWhole(home: TestHome): Promise<void> {
  expect(await home.muster('doctor')).toMatchObject({ code: 0 })
  expect((await home.muster('list')).stdout).toContain('made meanwhile')
}

/** Runs a card from claim to settlement. All steps happen in other processes. */
async function settleCard(home: TestHome, ...create: string[]): Promise<TaskDetails> {
  await home.muster('init')
  const made = await home.muster('create', 'guarded', '--assignee', 'shell', '--max-retries', '1', ...create, '--json')
  const { id } = JSON.parse(made.stdout) as { id: string }
  expect(await home.muster('dispatch')).toMatchObject({ code: 0 })
  // The test waits by reading the process table, because opening the store would take locks that hide the defect.
  while (execFileSync('ps', ['-axww', '-o', 'command=']).includes(join(home.home, 'runs'))) await sleep(50)
  const { stdout } = await home.muster('show', id, '--json')
  return JSON.parse(stdout) as TaskDetails
}

const LINKS = 'for tail in "" -wal -shm; do ln "$1/muster.db$tail" "link$tail"; done'

test('checks in a workspace that contains the data folder lose no verdict', async () => {
  const home = makeTestHome('sqlite')
  const place = `dir:${join(home.home, '..')}`
  const body = `"${process.execPath}" "${BIN}" complete "$MUSTER_TASK" --summary checked`
  const card = await settleCard(home, '--workspace', place, '--body', body, '--check', others(home))
  expect(card).toMatchObject({ status: 'done', result: 'checked' })
  expect(card.runs).toMatchObject([{ outcome: 'completed' }])
  await expectWhole(home)
})

test('an agent that links the store into its workspace loses no verdict', async () => {
  const home = makeTestHome('sqlite')
  const body = [
    `set -- "${home.home}"`,
    LINKS,
    'echo kept >report.txt',
    `"${process.execPath}" "${BIN}" complete "$MUSTER_TASK" --summary linked --artifact "$PWD/report.txt"`,
  ].join('\n')
  const card = await settleCard(home, '--body', body, '--check', others(home), '--check', 'file:link*')
  expect(card).toMatchObject({ status: 'done', result: 'linked' })
  expect(card.attachments).toMatchObject([{ filename: 'report.txt' }])
  expect(existsSync(home.workspace(card.id, 'link-shm'))).toBe(true)
  await expectWhole(home)
})

test('a result file that links to the store is not read', async () => {
  const home = makeTestHome('sqlite')
  const body = `set -- "${home.home}"; ln "$1/muster.db-shm" RESULT.json; touch RESULT.json; exit 3`
  const card = await settleCard(home, '--body', body)
  expect(card.runs).toMatchObject([{ outcome: 'crashed', exitCode: 3 }])
})

test('`muster attach` refuses a link to the store', async () => {
  const home = makeTestHome('sqlite')
  await home.muster('init')
  const { stdout } = await home.muster('create', 'a', '--json')
  const { id } = JSON.parse(stdout) as { id: string }
  const link = join(home.home, '..', 'innocent')
  linkSync(join(home.home, 'muster.db'), link)
  expect(await home.muster('attach', id, link)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is the board's own database") as string,
  })
})
