import os from 'node:os'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import { openHttp } from '../helpers/http.ts'
import { card, clockwork, person } from '../helpers/sample.ts'
import { testFolder } from '../helpers/stores.ts'
import { Desk } from '../storage/desk.ts'

interface Inbox {
  readonly items: readonly { readonly id: string }[]
}

async function openDesk() {
  const http = await openHttp()
  const desk = new Desk(http.test, 'default')
  await desk.lead()
  const items = async (query = ''): Promise<Inbox['items']> =>
    (await http.ask(`GET /api/inbox${query}`)).json<Inbox>().items
  return { http, desk, items }
}

test("the item of a question has the cost, the waiting cards and the agent's last steps", async () => {
  const { desk, items } = await openDesk()
  await desk.card('a')
  await desk.card('b', { parents: [card('a')] })
  const first = await desk.run(card('a'))
  await desk.settle(first, {
    usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.25 },
    ending: { how: 'exited', exitCode: 3 },
  })
  await desk.test.raw(
    `update task set status = 'ready', due_at = null, cooldown_until = null where id = '${card('a')}'`,
  )
  const second = await desk.run(card('a'))
  const log = join(testFolder(), 'agent.log')
  writeFileSync(log, 'one\ntwo\nthree\nfour\nfive\n')
  unwrap(await desk.verdict(second, { kind: 'block', reason: 'Which port?', blockKind: 'needs_input' }))
  await desk.settle(second, { usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.5 } })
  await desk.test.raw(`update run set log_path = '${log}' where id = '${second.runId}'`)
  const [question] = await items(`?item=${card('a')}&steps=true`)
  expect(question).toMatchObject({
    question: 'Which port?',
    work: { attempt: 2, outcome: 'blocked', costUsd: 0.5 },
    spent: { attempts: 2, costUsd: 0.75 },
    waitedFor: 1,
    steps: ['one', 'two', 'three', 'four', 'five'].map((text) => ({ kind: 'said', text })),
    otherReasons: [{ code: 'agent_unknown' }],
  })
  expect((await items())[0]).toMatchObject({ steps: [] })
})

test('the item of commands to approve has their exact text, folder, user and hash', async () => {
  const { http, desk, items } = await openDesk()
  const path = testFolder()
  await desk.card('a', { assignee: 'shell', body: 'rm -rf build', workspace: { kind: 'dir', path } })
  await desk.test.raw('update task set commands_approved = 0')
  const [item] = await items()
  const preview = (await http.ask(`GET /api/tasks/${card('a')}/commands`)).json<{ hash: string }>()
  expect(item).toMatchObject({
    kind: 'approval',
    commands: {
      body: 'rm -rf build',
      checks: [],
      directory: path,
      agent: { name: 'shell', harness: 'shell' },
      hash: preview.hash,
      isCut: false,
      createdBy: 'ada',
      createdByRun: null,
      bodyBy: 'ada',
      runsAs: { user: os.userInfo().username, host: os.hostname() },
    },
  })
})

test('the item of a worktree card shows whether the work can land', async () => {
  const { desk, items } = await openDesk()
  await desk.card('a', { checks: ['npm test'], workspace: { kind: 'worktree', path: null, repo: '/srv/repo' } })
  const claimed = await desk.run(card('a'))
  unwrap(await desk.verdict(claimed, { kind: 'request_review', summary: 'Look.' }))
  await desk.ok('checks', { task: card('a'), fence: claimed.fence, passed: true }, clockwork)
  await desk.settle(claimed, { changes: { files: 6, added: 184, removed: 23, commit: 'c1', note: null } })
  await desk.test.raw(`update task set workspace_state = 'live'`)
  const review = {
    kind: 'review',
    work: { checks: { passed: 1, total: 1 }, changes: { files: 6, added: 184, removed: 23 } },
  }
  expect(await items()).toMatchObject([{ ...review, landing: 'possible' }])
  const landed = { commit: 'c2', tip: 'c1', into: 'main', strategy: 'squash' } as const
  await desk.ok('land', { task: card('a'), ...landed }, person)
  expect(await items()).toMatchObject([{ ...review, landing: 'landed' }])
})

test('the item of an account without a login has the login command, the agents and the waiting cards', async () => {
  const { http, desk, items } = await openDesk()
  await http.ask('POST /api/agents', { body: { name: 'claude', harness: 'claude' } })
  await desk.card('a', { assignee: 'claude' })
  await desk.ok('pause_account', { account: 'claude', cause: 'auth', reason: 'Invalid API key' })
  expect((await items())[0]).toMatchObject({
    kind: 'account',
    logIn: 'claude',
    agents: ['claude'],
    waitedFor: 1,
    question: 'Invalid API key',
  })
})

test('the item of a question lists the other reasons to wait', async () => {
  const { http, desk } = await openDesk()
  await desk.card('a')
  await http.ask(`POST /api/tasks/${card('a')}/block`, { body: { reason: 'Which port?' } })
  await http.ask('POST /api/pauses', { body: { kind: 'board', name: 'default' } })
  const [item] = (await http.ask('GET /api/inbox')).json<{ items: { otherReasons: { code: string }[] }[] }>().items
  expect(item?.otherReasons.map(({ code }) => code)).toContain('paused')
})

test('a snoozed item is listed only with the hidden items until a person restores the item', async () => {
  const { http, desk, items } = await openDesk()
  await desk.card('a')
  await http.ask(`POST /api/tasks/${card('a')}/block`, { body: { reason: 'Which port?' } })
  const until = (await desk.store.now()) + 3_600_000
  await http.ask(`POST /api/inbox/${card('a')}/snooze`, { body: { until } })
  expect(await items()).toEqual([])
  expect(await items('?onlyHidden=true')).toMatchObject([{ id: card('a'), hidden: { until, by: expect.any(String) } }])
  expect((await http.ask(`POST /api/inbox/${card('a')}/restore`, { body: {} })).status).toBe(200)
  expect(await items('?kinds=question')).toMatchObject([{ id: card('a'), hidden: null }])
  expect(await items('?kinds=review')).toEqual([])
  const again = await http.ask(`POST /api/inbox/${card('a')}/restore`, { body: {} })
  expect(again.json()).toMatchObject({ code: 'nothing_to_undo' })
})
