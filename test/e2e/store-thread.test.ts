/** Tests that `muster up` keeps a SQLite store in a thread, and exits when the thread ends. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'

const PRELOADED = fileURLToPath(new URL('../fixtures/end-thread.cjs', import.meta.url))

/** Starts a `muster up` whose store thread the test can end. */
async function startUpWithThread(home: TestHome, flags: readonly string[] = []) {
  await home.muster('init')
  const signal = join(home.home, '..', 'end')
  const env = { NODE_OPTIONS: `--require ${PRELOADED}`, MUSTER_TEST_END_THREAD: signal }
  const up = home.start(['up', ...flags], { env })
  await home.until('it runs', () => /Ctrl-C (to stop|stops)/.test(up.output()))
  return { up, endThread: () => writeFileSync(signal, '') }
}

describe('`muster up` whose store thread ends', () => {
  it.each([{ flags: [] }, { flags: ['--no-dispatch'] }])(
    '`muster up $flags` exits with code 1 when its store thread ends',
    async ({ flags }) => {
      const home = makeTestHome('sqlite')
      const { up, endThread } = await startUpWithThread(home, flags)
      endThread()
      const { code, stderr } = await up.ended
      expect(code).toBe(1)
      expect(stderr.split('\n').filter((line) => line.startsWith('muster: '))).toEqual([
        `muster: The thread of the store ${join(home.home, 'muster.db')} stopped (exit code 7). Nothing is lost. Run the command again.`,
      ])
    },
  )

  it('runs continue after the store thread ends, and the next `muster up` takes over', async () => {
    const home = makeTestHome('sqlite')
    const { up, endThread } = await startUpWithThread(home)
    const goOn = join(home.home, '..', 'go-on')
    const { id } = await home.create(
      'waits',
      '--assignee',
      'shell',
      '--body',
      `until [ -e ${goOn} ]; do sleep 0.1; done`,
    )
    await home.liveRun(id)
    endThread()
    await up.ended
    home.start(['up'])
    writeFileSync(goOn, '')
    await home.until('the card is done', async () => (await home.show(id)).status === 'done')
    expect((await home.show(id)).runs).toHaveLength(1)
  })
})
