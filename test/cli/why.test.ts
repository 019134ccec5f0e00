// Tests that `why` prints reasons as data, and that the commands that it suggests work.
import { expect, test } from 'vitest'
import type { ReasonValue } from '../../src/cli/render/reasons.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'

const why = async ({ run }: CommandLine, id: string): Promise<readonly ReasonValue[]> =>
  ((await run(['why', id, '--json'])).json() as { reasons: readonly ReasonValue[] }).reasons

test('`why` shows a block loop, its last question, and a command that ends it', async () => {
  const cli = makeCommandLine()
  const { id } = await cli.create('ask', '--assignee', 'shell', '--body', 'true')
  for (const round of [1, 2, 3, 4]) {
    await cli.muster('block', id, `Which port? (${round})`)
    if (round < 4) await cli.muster('unblock', id)
  }
  expect((await cli.show(id)).status).toBe('triage')
  const [reason] = await why(cli, id)
  expect(reason).toMatchObject({
    gate: 'triage',
    code: 'block_loop',
    params: { kind: 'needs_input', times: 4, question: 'Which port? (4)' },
    remedies: [{ operation: 'promote', input: { task: id }, asks: ['reason'] }],
    message: expect.stringContaining('Which port? (4)'),
    clearedBy: `muster promote ${id} --reason '…'`,
  })
  const [, ...argv] = (reason?.clearedBy ?? '').replace('<text>', '8080').split(' ')
  expect(await cli.muster(...argv)).toMatchObject({ code: 0 })
  expect((await cli.show(id)).status).toBe('ready')
})

test('an unassigned card waits for the default assignee of its board, if that agent exists', async () => {
  const cli = makeCommandLine()
  const { id } = await cli.create('unassigned', '--body', 'true')
  expect(await why(cli, id)).toMatchObject([{ code: 'unassigned' }, { code: 'no_dispatcher' }])
  await cli.muster('boards', 'set', 'default', '--default-assignee', 'ghost')
  expect(await why(cli, id)).toMatchObject([
    {
      gate: 'assignee',
      code: 'agent_unknown',
      params: { agent: 'ghost', role: 'default_assignee' },
      remedies: [{ operation: 'assign' }, { operation: 'boards set', input: { slug: 'default' } }],
      message: "No agent is called ghost (the board's default assignee).",
    },
    { code: 'no_dispatcher' },
  ])
  await cli.muster('boards', 'set', 'default', '--default-assignee', 'shell')
  expect(await why(cli, id)).toMatchObject([{ code: 'no_dispatcher', clearedBy: 'muster up' }])
})

test('a refused claim shows the reason and the remedy', async () => {
  const cli = makeCommandLine()
  const parent = await cli.create('parent')
  const child = await cli.create('child', '--parent', parent.id)
  const refused = await cli.run(['claim', child.id, '--json'])
  const { error } = JSON.parse(refused.stderr) as { error: object }
  expect(refused.code).toBe(1)
  expect(error).toMatchObject({
    code: 'parents_open',
    message: expect.stringContaining(`Waits for ${parent.id}.`),
    details: { reason: { code: 'parents_open', remedies: [{ operation: 'promote' }] } },
  })
})

test('`why` shows the person and the reason of a hold', async () => {
  const cli = makeCommandLine()
  const { id } = await cli.create('waits', '--assignee', 'shell', '--body', 'true')
  await cli.muster('hold', id, '--reason', 'until the release is out')
  const [reason] = await why(cli, id)
  expect(reason).toMatchObject({
    code: 'held',
    params: { reason: 'until the release is out' },
    message: expect.stringMatching(/^\S+ put the card on hold: until the release is out/) as string,
    clearedBy: `muster release ${id}`,
  })
})
