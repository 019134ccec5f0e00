// Tests the addresses of the dashboard that commands print.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TaskView } from '../../src/storage/store.ts'
import { makeCliHome } from '../helpers/in-process.ts'
import type { CliHome } from '../helpers/in-process.ts'
import { testHere } from '../helpers/through-url.ts'

const terminal = { columns: 80, rows: 24, colors: false }
const URL = 'http://127.0.0.1:6878'

/** Writes the file of a running server, whose process is this process. */
function pretendServer({ home }: CliHome): void {
  mkdirSync(join(home, 'servers'), { recursive: true })
  writeFileSync(join(home, 'servers', `${process.pid}.json`), JSON.stringify({ url: URL, pid: process.pid, key: 'k' }))
}

const create = async (cli: CliHome): Promise<TaskView> =>
  (await cli.muster('create', 'Paint the wall', '--json')).json() as TaskView

testHere('show prints the address of the card at a terminal', async () => {
  const cli = makeCliHome()
  const { id } = await create(cli)
  expect((await cli.run(['show', id], { world: { terminal } })).stdout).not.toContain('http')
  pretendServer(cli)
  const shown = await cli.run(['show', id], { world: { terminal } })
  expect(shown.stdout.split('\n')[2]).toBe(`  ${URL}/b/default/${id}`)
})

testHere('a pipe and --json get no link', async () => {
  const cli = makeCliHome()
  const { id } = await create(cli)
  pretendServer(cli)
  const outputs = [await cli.run(['show', id]), await cli.run(['show', id, '--json'], { world: { terminal } })]
  expect(outputs.map(({ stdout, stderr }) => `${stdout}${stderr}`).join('')).not.toContain(URL)
})

testHere('open leads to a card, also by the beginning of its id', async () => {
  const cli = makeCliHome()
  const { id } = await create(cli)
  pretendServer(cli)
  const { stdout } = await cli.muster('open', id.slice(0, 8), '--no-open')
  expect(stdout).toMatch(new RegExp(`^${URL}/sign-in#[\\w.-]+/b/default/${id}$`, 'm'))
})

testHere('open says which card does not exist', async () => {
  const cli = makeCliHome()
  await create(cli)
  pretendServer(cli)
  expect(await cli.muster('open', 't_zzzzzzzzzz', '--no-open')).toMatchObject({ code: 3 })
})
