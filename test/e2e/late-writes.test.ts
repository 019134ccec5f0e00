// Tests a process that outlives its run and its supervisor. Its writes change nothing and are recorded.
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { testFolder } from '../helpers/stores.ts'

const VARIABLES = ['MUSTER_TASK', 'MUSTER_RUN', 'MUSTER_SOCKET', 'MUSTER_NONCE', 'MUSTER_LATE_FOLDER']

/** Waits until a card's run has ended. From then on, commands of this home act as a process of the ended run. */
async function actAsEndedRun(
  home: TestHome,
): Promise<{ id: TaskId; run: string; socket: string; comeBack: () => void }> {
  await home.runInline('init')
  const body = `printf "%s\\n" ${VARIABLES.map((name) => `"$${name}"`).join(' ')} >env`
  const { id } = await home.create('Escapes', '--assignee', 'shell', '--body', body)
  await home.dispatch('--wait')
  const values = readFileSync(home.workspace(id, 'env'), 'utf8').split('\n')
  for (const [at, name] of VARIABLES.entries()) home.env[name] = values[at]
  const [, run = '', socket = ''] = values
  const comeBack = (): void => VARIABLES.forEach((name) => delete home.env[name])
  return { id, run, socket, comeBack }
}

test('writes of a process that outlives its supervisor are recorded in order', async () => {
  const home = makeTestHome('sqlite')
  const { id, run, comeBack } = await actAsEndedRun(home)
  const texts = ['one more thing', 'and another', 'third', 'fourth', 'fifth', 'last']
  for (const text of texts) {
    const said = await home.muster('comment', id, text)
    expect(said.code).toBe(4)
    expect(said.stderr).toContain('Nothing was changed; your input is kept in the history.')
  }
  expect(await home.muster('show', id)).toMatchObject({ code: 4 })
  comeBack()
  await home.dispatch()
  await home.dispatch()
  const { comments, events } = await home.show(id)
  expect(comments).toEqual([])
  expect(events.filter(({ kind }) => kind === 'late_result')).toMatchObject(
    texts.map((body) => ({ runId: run, data: { verb: 'comment', content: { body } } })),
  )
})

test('a late write is recorded even if the socket path is too long', async () => {
  const long = join(testFolder(), 'x'.repeat(100))
  mkdirSync(long)
  vi.stubEnv('TMPDIR', long)
  onTestFinished(() => void vi.unstubAllEnvs())
  const home = makeTestHome('sqlite')
  const { id, socket, comeBack } = await actAsEndedRun(home)
  expect(dirname(socket)).toMatch(/^\/tmp\/muster-run-/)
  expect((await home.muster('comment', id, 'too late')).stderr).toContain('your input is kept in the history')
  comeBack()
  await home.dispatch()
  expect((await home.show(id)).events).toContainEqual(
    expect.objectContaining({ kind: 'late_result', data: expect.objectContaining({ verb: 'comment' }) as object }),
  )
})
