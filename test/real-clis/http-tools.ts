/** Proves that a CLI lists and calls the tools of a server that it knows only by its address and a token. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Testbed } from './testbed.ts'

const TITLE = 'From afar'

export async function proveHttpTools(testbed: Testbed): Promise<readonly string[]> {
  const folder = join(testbed.workspace(), 'http')
  mkdirSync(folder)
  const url = await testbed.startServer()
  const token = (await testbed.muster('tokens', 'create', 'laptop', '--scope', 'operate')).trim()
  const header = `Authorization: Bearer ${token}`
  const add = ['mcp', 'add', '--transport', 'http', 'muster', `${url}/mcp`, '--header', header]
  await testbed.runCli(folder, ...add)
  const listed = await testbed.runCli(folder, 'mcp', 'list')
  testbed.play(
    () => ({ tool: 'kanban_create', input: { title: TITLE } }),
    () => ({ tool: 'kanban_list', input: {} }),
    () => ({ text: 'done' }),
  )
  await testbed.runCli(folder, '-p', 'Create a card.', '--allowedTools', 'mcp__muster')
  const [first, , third] = testbed.requests
  const cards = JSON.parse(await testbed.muster('list', '--json')) as readonly Created[]
  const card = cards.find(({ title }) => title === TITLE)
  await testbed.runCli(folder, 'mcp', 'remove', 'muster')
  return [
    ...(/muster.*connected/i.test(listed) ? [] : [`the CLI reports no connection: ${listed}`]),
    ...(first?.tools.includes('mcp__muster__kanban_create') === true ? [] : ['the model got no tools']),
    ...(third?.lastMessage.includes(TITLE) === true ? [] : [`a tool did not list the card: ${third?.lastMessage}`]),
    ...(card?.createdBy === 'agent:assistant of laptop' ? [] : [`the card was created by ${card?.createdBy}`]),
  ]
}

interface Created {
  readonly title: string
  readonly createdBy: string
}
