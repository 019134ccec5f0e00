// Tests through the real dispatcher that a person answers a question of a worker, and that the next run acts on the
// answer.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { TestHome } from '../helpers/cli.ts'
import { CLIS, addCliAgent, makeFixtureCliHome } from '../helpers/fixture-clis.ts'
import type { FixtureCli } from '../helpers/fixture-clis.ts'

const STAYS = { MUSTER_WORKSPACE_STAYS_MS: '600000' }
const QUESTION = 'asks:Which port?'

async function ask(home: TestHome, cli: FixtureCli, ...words: string[]): Promise<TaskId> {
  const name = `${cli}-asks${words.length}`
  addCliAgent(home, name, { cli, account: name, words: ['replay:success', QUESTION, ...words] })
  return (await home.create('Serve it', '--assignee', name, '--body', 'Serve the page.')).id
}

const inputOf = (home: TestHome, id: TaskId, turn = 1) =>
  JSON.parse(readFileSync(home.workspace(id, `told.${turn}.json`), 'utf8')) as { argv: string[]; stdin: string }

/** The arguments with which each CLI resumes a session. */
const RESUMES = { claude: '--resume', codex: 'resume', opencode: '--session', gemini: '--resume', hermes: '--resume' }

test('an answered card resumes the session that asked, with question and answer', async () => {
  const home = makeFixtureCliHome(STAYS)
  const cards = await Promise.all(CLIS.map((cli) => ask(home, cli)))
  await home.dispatch('--wait')
  for (const id of cards) expect(await home.show(id)).toMatchObject({ status: 'blocked', blockReason: 'Which port?' })
  for (const id of cards) await home.runInline('unblock', id, 'Use 8080.')
  await home.dispatch('--wait')
  for (const [at, id] of cards.entries()) {
    const cli = CLIS[at] ?? 'claude'
    const { status, result, runs } = await home.show(id)
    expect([cli, status, result]).toEqual([cli, 'done', 'Use 8080.'])
    expect(runs).toMatchObject([{ outcome: 'blocked' }, { outcome: 'completed' }])
    const { argv, stdin } = inputOf(home, id)
    expect([cli, argv.includes(RESUMES[cli])]).toEqual([cli, true])
    expect(stdin).toMatch(/^# Card t_\w+ continues\n[^]*Which port\?[^]*Use 8080\.[^]*## How to end/)
    expect(readFileSync(runs[1]?.logPath ?? '', 'utf8')).toContain(
      `# muster: resumes the session of run ${runs[0]?.id}`,
    )
  }
})

test('`unblock` without a text warns that the question is unanswered', async () => {
  const home = makeFixtureCliHome(STAYS)
  const id = await ask(home, 'claude')
  await home.dispatch('--wait')
  expect((await home.runInline('list')).stdout).toContain('Serve it  (needs input: Which port?)')
  const { code, stdout, stderr } = await home.runInline('unblock', id)
  expect([code, stdout]).toEqual([0, `Unblocked ${id}  (ready)\n`])
  expect(stderr).toContain(`${id} asked "Which port?" and got no answer`)
  expect(stderr).toContain(`muster answer ${id} '…'`)

  await home.runInline('block', id, 'the server is down')
  expect((await home.runInline('unblock', id)).stderr).toBe('')
})

test('a comment counts as the answer, so `unblock` does not warn', async () => {
  const home = makeFixtureCliHome(STAYS)
  const id = await ask(home, 'claude')
  await home.dispatch('--wait')
  await home.runInline('comment', id, 'Use 8080.')
  expect((await home.runInline('unblock', id)).stderr).toBe('')
})

test('a lost session is replaced by a new one with the whole briefing', async () => {
  const home = makeFixtureCliHome(STAYS)
  const cards = await Promise.all(CLIS.map((cli) => ask(home, cli, 'lost:session')))
  await home.dispatch('--wait')
  for (const id of cards) await home.runInline('unblock', id, 'Use 8080.')
  await home.dispatch('--wait')
  for (const [at, id] of cards.entries()) {
    const cli = CLIS[at] ?? 'claude'
    const { status, result, runs, events } = await home.show(id)
    expect([cli, status, result]).toEqual([cli, 'done', 'Use 8080.'])
    expect(runs).toMatchObject([{ outcome: 'blocked' }, { outcome: 'completed' }])
    expect(events.filter(({ kind }) => kind === 'turn_started')).toMatchObject([{ data: { cause: 'session_lost' } }])
    const { argv, stdin } = inputOf(home, id, 2)
    expect([cli, argv.includes(RESUMES[cli])]).toEqual([cli, false])
    expect(stdin).toMatch(/^Work\.\n\n# Card t_\w+\n[^]*## Answers[^]*Use 8080\.[^]*## Prior attempts/)
  }
})

test('a reopened card resumes its session with the reason', async () => {
  const home = makeFixtureCliHome(STAYS)
  addCliAgent(home, 'maker', { cli: 'claude', account: 'maker', words: ['replay:success'] })
  const { id } = await home.create('Serve it', '--assignee', 'maker', '--body', 'Serve the page.')
  await home.dispatch('--wait')
  await home.runInline('reopen', id, 'Do it again, but with TLS.')
  await home.dispatch('--wait')
  expect((await home.show(id)).runs).toMatchObject([{ outcome: 'completed' }, { outcome: 'completed' }])
  expect(inputOf(home, id)).toMatchObject({
    argv: expect.arrayContaining(['--resume']),
    stdin: expect.stringContaining('Do it again, but with TLS.'),
  })
})

test('a card unblocked without an answer starts a new session', async () => {
  const home = makeFixtureCliHome(STAYS)
  const id = await ask(home, 'claude')
  await home.dispatch('--wait')
  await home.runInline('unblock', id)
  await home.dispatch('--wait')
  const { argv, stdin } = inputOf(home, id)
  expect(argv).not.toContain('--resume')
  expect(stdin).toContain('The card was released without an answer')
})

test('`muster context` and `muster show` print the answer to a question', async () => {
  const home = makeFixtureCliHome(STAYS)
  const id = await ask(home, 'claude')
  await home.dispatch('--wait')
  await home.runInline('unblock', id, '--reason', 'Use 8080.')
  expect((await home.muster('context', id)).stdout).toMatch(/## Answers[^]*Which port\?[^]*Use 8080\./)
  expect((await home.muster('show', id)).stdout).toContain('(unblock): Use 8080.')
  expect((await home.show(id)).comments).toMatchObject([
    { body: 'Use 8080.', answerTo: { verb: 'unblock', question: 'Which port?' } },
  ])
})

test('the briefing names files that contain the full body and answers', async () => {
  const home = makeFixtureCliHome(STAYS)
  const long = `${'body '.repeat(4000)}END OF BODY`
  addCliAgent(home, 'asks', { cli: 'claude', account: 'asks', words: ['replay:success', QUESTION, 'lost:session'] })
  const { id } = await home.create('Serve it', '--assignee', 'asks', '--body', long)
  await home.dispatch('--wait')
  const answer = `${'answer '.repeat(4000)}END OF ANSWER`
  await home.runInline('unblock', id, answer)
  await home.dispatch('--wait')
  const { stdin } = inputOf(home, id, 2)
  expect(stdin).not.toContain('END OF')
  for (const [name, end] of [
    ['body', 'END OF BODY'],
    ['answers', 'END OF ANSWER'],
  ] as const) {
    const path = new RegExp(`\`(/[^\`]*/agent/${name}\\.md)\``).exec(stdin)?.[1] ?? ''
    expect(readFileSync(path, 'utf8')).toContain(end)
    expect(stdin).toContain(`\`kanban_show\` with \`part: "${name}"\``)
  }
  expect((await home.muster('context', id)).stdout).toContain('`kanban_show` with `part: "body"`')
})
