// Tournaments with real processes: agents in their own worktrees, a scripted judge, and a pick by a person.
import { expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { TestHome } from '../helpers/cli.ts'
import { makeRepository } from '../helpers/repository.ts'
import { openHome, startUp, statusOf, untilBegun, untilStatus, writeAgent } from '../helpers/run-cards.ts'
import { chooseModel, useScriptedModel } from '../helpers/scripted-model.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'

const SCRIPT = `case "$MUSTER_AGENT" in
  three) exit 3 ;;
  slow) echo begun >>begun; while [ ! -e go ]; do sleep 0.2; done ;;
esac
echo "work of $MUSTER_AGENT" >page
echo "written by $MUSTER_AGENT"`

interface Started {
  readonly root: TaskId
  readonly entries: readonly TaskId[]
}

async function start(home: TestHome, agents: string, ...flags: string[]): Promise<Started> {
  for (const name of agents.split(',')) writeAgent(home, name, 'harness: shell')
  const count = String(agents.split(',').length)
  const { id } = await home.create('Write a page', '--best-of', count, '--agents', agents, '--body', SCRIPT, ...flags)
  return { root: id, entries: (await home.show(id)).tournament?.entries ?? [] }
}

const entryAt = ({ entries }: Started, at: number): TaskId => entries[at] ?? expect.unreachable(`no entry ${at}`)

test.each(SURFACE_ENGINES)('the judge picks between entries in their own worktrees (%s)', async (engine) => {
  const [home, model, repo] = [await openHome(engine), await useScriptedModel(), makeRepository()]
  chooseModel(home.home, model, 'judgeRetryMs: 50\n')
  model.script({ status: 500 }, { json: { winner: 2, reason: 'It is simpler.' } })
  const workspace = ['--workspace', `worktree:${repo.path}`, '--check', 'test -s page']
  const started = await start(home, 'one,two,three', '--pick', 'judge', '--max-retries', '1', ...workspace)
  startUp(home)
  await untilStatus(home, started.root, 'done')

  const root = await home.show(started.root)
  const pick = root.tournament?.pick
  const winner = pick?.order?.[1] ?? started.root
  const loser = [entryAt(started, 0), entryAt(started, 1)].find((id) => id !== winner) ?? winner
  expect(pick).toMatchObject({ winner, by: 'muster:judge', reason: 'It is simpler.' })
  expect(root.result).toContain(`written by ${pick?.agent}`)
  expect(root.runs.at(-1)).toMatchObject({ usage: { inputTokens: 100, judge: { outputTokens: 20 } } })
  expect(model.requests).toHaveLength(2)
  const question = model.requests[1]?.messages.at(-1)?.content ?? ''
  expect(question).toMatch(/# Entry 1[^]*\+work of (one|two)[^]*# Entry 2[^]*\+work of (one|two)/)
  expect(await Promise.all([loser, entryAt(started, 2)].map((id) => statusOf(home, id)))).toEqual([
    'archived',
    'archived',
  ])
  expect(repo.git('branch', '--list', `muster/${loser}`)).not.toBe('')

  expect((await home.muster('diff', started.root)).stdout).toContain(`+work of ${pick?.agent}`)
  const page = await home.muster('show', started.root)
  expect(page.stdout).toContain(`${winner} (${pick?.agent}) won, picked by muster:judge: It is simpler.`)
  expect((await home.muster('land', started.root)).code).toBe(0)
  expect(repo.git('show', 'main:page')).toBe(`work of ${pick?.agent}`)
  expect((await home.show(winner)).landed).toMatchObject({ into: 'main' })
})

test('a person picks while an entry runs, and a child of the tournament reads the winner’s folder', async () => {
  const home = await openHome('sqlite')
  const started = await start(home, 'one,slow')
  const [first, slow] = [entryAt(started, 0), entryAt(started, 1)]
  const child = await home.create(
    'Read it',
    '--assignee',
    'one',
    '--parent',
    started.root,
    '--body',
    `node -e 'const [{ workspace }] = JSON.parse(process.env.MUSTER_PARENTS); console.log(require("fs").readFileSync(workspace + "/page", "utf8"))'`,
  )
  startUp(home)
  await untilStatus(home, first, 'done')
  await untilBegun(home, slow)
  expect((await home.muster('why', started.root)).stdout).toContain(`waits for 1 of 2 entries: ${slow} (running)`)
  const early = await home.muster('pick', started.root, slow)
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('only an entry that is done can win') })
  const picked = await home.muster('pick', started.root, first, '--reason', 'fast enough')
  expect(picked.stdout).toContain(`${first} won ${started.root} (done). Archived when their runs end: ${slow}.`)
  await untilStatus(home, slow, 'archived')
  await untilStatus(home, child.id, 'done')
  expect((await home.show(child.id)).result).toContain('work of one')
  const again = await home.muster('pick', started.root, slow)
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('muster reopen') })
})

test('a single pass that waits for its runs asks a person to pick', async () => {
  const home = await openHome('sqlite')
  const started = await start(home, 'one,three', '--max-retries', '1')
  await home.dispatch('--wait')
  expect((await home.show(started.root)).pickSince).not.toBeNull()
  expect((await home.muster('inbox')).stdout).toContain(`muster pick ${started.root}`)
})
