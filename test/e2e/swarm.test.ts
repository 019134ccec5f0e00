// Tests a swarm with real processes: its verifier rejects once, then approves, and its synthesizer runs after that.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { NewSwarm } from '../../src/operations/swarms/views.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'

const AGENT = join(import.meta.dirname, '..', 'fixtures', 'agents', 'swarm.mjs')

async function makeSwarmHome(): Promise<TestHome> {
  const home = makeTestHome('sqlite')
  mkdirSync(join(home.home, 'agents'), { recursive: true })
  for (const name of ['ann', 'bob', 'eve'])
    writeFileSync(
      join(home.home, 'agents', `${name}.md`),
      `---\nharness: command\nonExit: verdict\nargs: [${AGENT}, "{mcp}"]\n---\nTake part.\n`,
    )
  expect((await home.runInline('init')).code).toBe(0)
  return home
}

async function json<T>(home: TestHome, ...args: readonly string[]): Promise<T> {
  const { stdout, stderr } = await home.runInline(...args, '--json')
  expect(stderr).toBe('')
  return JSON.parse(stdout) as T
}

const logOf = async (home: TestHome, id: TaskId, run = -1): Promise<string> =>
  readFileSync((await home.show(id)).runs.at(run)?.logPath ?? '', 'utf8')

test('a verifier rejects once, and the synthesizer runs only after the approval', async () => {
  const home = await makeSwarmHome()
  const asked = ['swarm', 'Compare two parsers.', '--workers', 'ann,bob', '--verifier', 'eve', '--synthesizer', 'ann']
  const swarm = await json<NewSwarm>(home, ...asked, '--idempotency-key', 'once', '--label', 'parsers')
  expect(swarm).toMatchObject({ created: true, warnings: [], workerIds: [expect.any(String), expect.any(String)] })
  const again = await json<NewSwarm>(home, ...asked, '--idempotency-key', 'once', '--label', 'parsers')
  expect(again).toMatchObject({ created: false, rootId: swarm.rootId, workerIds: swarm.workerIds })
  const { rootId, workerIds, verifierId, synthesizerId } = swarm
  const [first, second] = workerIds as [TaskId, TaskId]
  await json(home, 'blackboard', rootId, 'deadline', 'Friday')

  for (let passes = 0; passes < 6; passes += 1) await home.dispatch('--wait')

  const synthesizer = await home.show(synthesizerId)
  expect(synthesizer).toMatchObject({ status: 'done', swarmRole: 'synthesizer', labels: ['parsers'] })
  expect(synthesizer.result).toContain('improved')
  const verifier = await home.show(verifierId)
  expect(verifier.runs.map(({ outcome }) => outcome)).toEqual(['changes_requested', 'completed'])
  expect((await home.show(first)).runs).toHaveLength(2)
  expect((await home.show(second)).runs).toHaveLength(1)
  const approvedAt = verifier.events.find(({ kind }) => kind === 'swarm_approved')?.id ?? Infinity
  const startedAt = synthesizer.events.find(({ kind }) => kind === 'claimed')?.id ?? 0
  expect(startedAt).toBeGreaterThan(approvedAt)
  expect((await home.show(rootId)).blackboard.map(({ key, value, author }) => [key, value, author])).toEqual(
    [
      ['deadline', 'Friday', expect.any(String)],
      [first, 'improved', 'agent:ann'],
      [second, 'draft', 'agent:bob'],
    ].toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
  )
  for (const [id, tool] of [
    [first, 'kanban_blackboard'],
    [verifierId, 'kanban_request_changes'],
  ] as const) {
    const [line = ''] = (await logOf(home, id)).split('\n').filter((one) => one.includes('"tools"'))
    const { tools } = JSON.parse(line) as { readonly tools: readonly string[] }
    expect(tools).toContain(tool)
    expect(tools.length).toBeLessThanOrEqual(10)
  }
})
