// A process may outlive its run and its supervisor. Its writes change nothing and are recorded.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeTestHome } from '../helpers/cli.ts'

test('writes for a run whose supervisor is gone are recorded as late results, in order', async () => {
  const home = makeTestHome('sqlite')
  await home.say('init')
  const body = 'printf "%s\\n" "$MUSTER_RUN" "$MUSTER_SOCKET" "$MUSTER_NONCE" >env'
  const { id } = await home.create('Escapes', '--assignee', 'shell', '--body', body)
  await home.dispatch('--wait')
  const [run, socket, nonce] = readFileSync(home.workspace(id, 'env'), 'utf8').split('\n')
  Object.assign(home.env, { MUSTER_RUN: run, MUSTER_SOCKET: socket, MUSTER_NONCE: nonce })
  const texts = ['one more thing', 'and another', 'third', 'fourth', 'fifth', 'last']
  for (const text of texts) {
    const said = await home.muster('comment', id, text)
    expect(said.code).toBe(4)
    expect(said.stderr).toContain('Nothing was changed; your input is kept in the history.')
  }
  expect(await home.muster('show', id)).toMatchObject({ code: 4 })
  for (const name of ['MUSTER_RUN', 'MUSTER_SOCKET', 'MUSTER_NONCE']) delete home.env[name]
  await home.dispatch()
  await home.dispatch()
  const { comments, events } = await home.show(id)
  expect(comments).toEqual([])
  // In the order in which they were written.
  expect(events.filter(({ kind }) => kind === 'late_result')).toMatchObject(
    texts.map((body) => ({ runId: run, data: { verb: 'comment', content: { body } } })),
  )
})
