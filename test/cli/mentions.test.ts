import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { ListedTask } from '../../src/storage/store.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'

let line: CommandLine
let id: string
beforeEach(async () => {
  line = makeCommandLine()
  id = (await line.create('Fix the login', '--tenant', 'acme')).id
  mkdirSync(join(line.home, 'agents'), { recursive: true })
  for (const name of ['coder', 'tester'])
    writeFileSync(join(line.home, 'agents', `${name}.md`), '---\nharness: command\nargs: ["true"]\n---\n')
})

interface Mention {
  readonly agent: string
  readonly card: string | null
  readonly command: string | null
  readonly problem: string | null
}

const comment = async (text: string) =>
  (await line.muster('comment', id, text, '--json')).json() as { id: string; mentions: readonly Mention[] }
const children = async () =>
  (await line.muster('list', '--all', '--json')).json() as readonly (ListedTask & { parents: string[] })[]

test('a comment that mentions an agent prints the command that creates its card', async () => {
  const { stdout, stderr } = await line.muster('comment', id, '@tester check the login, please')
  const [, said = ''] = /\((c_\w+)\)/.exec(stdout) ?? []
  expect(stderr).toBe(`To create a card for tester: muster mention ${said} tester\n`)
  expect(await children()).toHaveLength(1)
  const made = await line.muster('mention', said)
  expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^Created t_\w+ for tester {2}\(todo/)])
  const [child] = (await children()).filter((card) => card.id !== id)
  expect(await line.show(child?.id ?? '')).toMatchObject({
    title: 'check the login, please',
    assignee: 'tester',
    parents: [id],
    tenant: 'acme',
    createdBy: 'ada',
    body: expect.stringContaining(`on card ${id} “Fix the login”`),
  })
  const again = await line.muster('mention', said, 'tester')
  expect(again.stdout).toContain(`${child?.id} was already created for tester`)
  expect(await children()).toHaveLength(2)
})

test('a board can create the cards with the comment, or ignore mentions', async () => {
  await line.muster('boards', 'set', 'default', 'mentions=create')
  const { stderr } = await line.muster('comment', id, '@coder fix it, @tester test it')
  expect(stderr).toMatch(/^Created t_\w+ for coder\.\nCreated t_\w+ for tester\.\n$/)
  expect((await children()).filter(({ parents }) => parents.includes(id)).map(({ assignee }) => assignee)).toEqual([
    'coder',
    'tester',
  ])
  const { mentions } = await comment('@coder once more')
  expect(mentions).toEqual([{ agent: 'coder', card: expect.stringMatching(/^t_/), command: null, problem: null }])
  await line.muster('boards', 'set', 'default', 'mentions=none')
  expect((await comment('@coder')).mentions).toEqual([])
  expect(await children()).toHaveLength(4)
  expect((await line.muster('boards', 'set', 'default', 'mentions=off')).stderr).toContain('offer, create or none')
})

test('unknown names are ignored, and a name similar to that of an agent is reported', async () => {
  expect((await comment('@alexandra and ada@coder.example, see `@coder`')).mentions).toEqual([])
  expect((await comment('@codr please')).mentions).toMatchObject([
    { agent: 'codr', card: null, command: null, problem: 'There is no agent codr. Did you mean coder?' },
  ])
})

test('a comment creates no card for an agent that runs scripts', async () => {
  await line.muster('boards', 'set', 'default', 'mentions=create')
  const { id: said, mentions } = await comment('@shell rm -rf build')
  expect(mentions).toMatchObject([{ agent: 'shell', card: null, problem: expect.stringContaining('as a script') }])
  expect(await children()).toHaveLength(1)
  expect((await line.muster('mention', said)).stderr).toContain('as a script')
})

test('`mention` needs a person’s comment that mentions the agent', async () => {
  const { id: said } = await comment('@coder and @tester')
  expect((await line.muster('mention', said)).stderr).toContain(`Name one: muster mention ${said} coder`)
  expect((await line.muster('mention', said, 'shell')).stderr).toContain('It mentions coder, tester.')
  expect(await line.muster('mention', 'c_0000000000')).toMatchObject({ code: 3, stdout: '' })
  const { id: silent } = await comment('nobody')
  expect((await line.muster('mention', silent)).stderr).toContain('mentions no agent')
})
