import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import { openHttp } from '../helpers/http.ts'
import { card, clockwork } from '../helpers/sample.ts'
import { Desk } from '../storage/desk.ts'

interface Roster {
  readonly agents: readonly { readonly name: string }[]
}

test("the roster shows each agent's runs, pauses, waiting cards and weekly totals", async () => {
  const http = await openHttp()
  const file = '---\nharness: command\nargs: [echo]\naccount: acme\nmaxConcurrent: 3\n---\nWork.\n'
  const folder = join(http.parts.target.options.home, 'agents')
  writeFileSync(join(folder, 'coder.md'), file)
  writeFileSync(join(folder, 'reader.md'), '---\nharness: gemini\n---\nRead.\n')
  const desk = new Desk(http.test, 'default')
  await desk.lead()
  for (const letter of 'abcd') await desk.card(letter)
  const good = await desk.run(card('a'))
  unwrap(await desk.verdict(good, { kind: 'complete', summary: 'Done.' }))
  await desk.settle(good, { usage: { inputTokens: 100, outputTokens: 10, costUsd: 1.5 } })
  const bad = await desk.run(card('b'))
  await desk.settle(bad, { ending: { how: 'exited', exitCode: 3 } })
  await desk.run(card('c'))
  await desk.ok('pause', { kind: 'agent', name: 'coder', reason: 'tests' })
  await desk.ok(
    'pause_account',
    { account: 'acme', cause: 'quota', until: (await desk.store.now()) + 60_000 },
    clockwork,
  )
  const { agents } = (await http.ask('GET /api/roster')).json<Roster>()
  expect(agents.find(({ name }) => name === 'coder')).toMatchObject({
    harness: 'command',
    maxConcurrent: 3,
    running: 1,
    waiting: 1,
    isWaitingExact: true,
    pause: { reason: 'tests', until: null },
    quota: { account: 'acme', state: 'paused', cause: 'quota', until: expect.any(Number) },
    week: { runs: 2, succeeded: 1, failed: 1, successRate: 0.5, costUsd: 1.5, inputTokens: 100 },
  })
  expect(agents.find(({ name }) => name === 'reader')).toMatchObject({
    isUsable: false,
    cli: { title: 'Gemini CLI', install: expect.stringContaining('npm install'), logIn: 'gemini' },
  })
  expect(agents.find(({ name }) => name === 'shell')).toMatchObject({
    cli: null,
    running: 0,
    pause: null,
    quota: null,
    week: { runs: 0, successRate: null },
  })
})
