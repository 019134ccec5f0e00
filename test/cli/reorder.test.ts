import { beforeEach, expect, test } from 'vitest'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'

let line: CommandLine
beforeEach(async () => {
  line = makeCommandLine()
  await line.muster('init')
})

const order = async (): Promise<string> => {
  const { columns } = (await line.muster('board', '--json')).json() as {
    columns: { status: string; cards: { title: string }[] }[]
  }
  return (columns.find(({ status }) => status === 'ready')?.cards ?? []).map(({ title }) => title).join('')
}

test('`reorder` moves a card before or after another one, and to both ends', async () => {
  const [a, b, c] = [await line.create('a'), await line.create('b'), await line.create('c')]
  const { stdout } = await line.muster('reorder', c.id, '--before', a.id)
  expect([stdout, await order()]).toEqual([`Moved ${c.id}  (ready)\n`, 'cab'])
  await line.muster('reorder', c.id, '--after', b.id)
  expect(await order()).toBe('abc')
  await line.muster('reorder', b.id, '--first')
  expect(await order()).toBe('bac')
  await line.muster('reorder', b.id, '--last')
  expect(await order()).toBe('acb')
})

test('`reorder` needs exactly one place', async () => {
  const { id } = await line.create('a')
  for (const flags of [[], ['--first', '--last'], ['--first', '--before', id]]) {
    const { code, stderr } = await line.run(['reorder', id, ...flags])
    expect([code, stderr]).toEqual([2, expect.stringContaining('Name one place')])
  }
})
