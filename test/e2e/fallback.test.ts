// Tests fallback agents with the real binary: a fallback takes over while the quota of an account is used up.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { startUp, untilPrinted, untilStatus, writeAgent } from '../helpers/run-cards.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'

/** Writes the files of agents whose exit code 75 reports a used-up quota. */
const writeAgents = (home: TestHome): void => {
  writeAgent(home, 'coder', 'harness: command\nargs: [sh, -c, exit 75]\naccount: first\nfallback: backup')
  writeAgent(home, 'backup', 'harness: command\nargs: [sh, -c, exit 75]\naccount: second\nfallback: reserve')
  writeAgent(home, 'reserve', 'harness: command\nargs: [cp, "{briefingFile}", briefing.txt]\naccount: third')
}

test.each(SURFACE_ENGINES)(
  'while earlier accounts are paused, a card runs with the next fallback (%s)',
  async (engine) => {
    const home = makeTestHome(engine)
    const card = await home.create('any agent will do', '--assignee', 'coder')
    writeAgents(home)
    const up = startUp(home)
    await untilPrinted(home, up, 'Running cards')
    await untilStatus(home, card.id, 'done')
    const store = await home.store()
    const runs = await store.runs('default', card.id)
    expect(runs.map(({ agent, account, outcome }) => [agent, account, outcome])).toEqual([
      ['coder', 'first', 'rate_limited'],
      ['backup', 'second', 'rate_limited'],
      ['reserve', 'third', 'completed'],
    ])
    expect((await home.show(card.id)).assignee).toBe('coder')
    const claims = (await store.taskEvents('default', card.id)).filter(({ kind }) => kind === 'claimed')
    expect(claims.map(({ data }) => data['insteadOf'])).toEqual([undefined, 'coder', 'coder'])
    expect(readFileSync(home.workspace(card.id, 'briefing.txt'), 'utf8')).toContain(
      'Worker: `reserve`, as the fallback of `coder`',
    )
    const listed = await home.runInline('runs', card.id)
    expect(listed.stdout).toContain('reserve')
  },
)

test('`why` names the fallback, or the paused account if no fallback is free', async () => {
  const home = makeTestHome('sqlite')
  const card = await home.create('wait', '--assignee', 'coder')
  writeAgents(home)
  await home.dispatch('--wait')
  const first = await home.runInline('why', card.id)
  expect(first.stdout).toContain(
    'Agent backup takes the cards of agent coder, because account first is paused (quota).',
  )
  await home.dispatch('--wait')
  await home.runInline('pause', 'agent', 'reserve')
  const second = await home.runInline('why', card.id, '--json')
  expect(JSON.parse(second.stdout).reasons).toMatchObject([
    { code: 'account_paused', params: { account: 'first' } },
    {},
  ])
  expect((await home.dispatch()).deferred).toMatchObject([
    { id: card.id, reason: expect.stringContaining('Account first is paused (quota)') },
  ])
  const checked = await home.runInline('agents', 'check', 'coder')
  expect(checked.stdout).toContain('✓ coder')
  writeAgent(home, 'reserve', 'harness: command\nargs: [true]\naccount: third\nfallback: coder')
  const cyclic = await home.runInline('agents', 'check', 'coder')
  expect(cyclic.stdout).toContain(
    '✗ coder  The fallbacks of agent coder form a cycle: coder → backup → reserve → coder.',
  )
  expect(cyclic.code).not.toBe(0)
})
