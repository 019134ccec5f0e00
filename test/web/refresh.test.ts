import { expect, test } from 'vitest'
import { GAP_MS, makeRefresher } from '../../web/src/api/refresh.ts'
import type { Key } from '../../web/src/api/keys.ts'

/** Makes a clock that a test moves by hand, and requests that a test answers. */
function makeBench() {
  let now = 0
  let frames: (() => void)[] = []
  let timers: { at: number; callback: () => void }[] = []
  const asked: string[] = []
  const answers: (() => void)[] = []
  const refresher = makeRefresher(
    (key: Key) =>
      new Promise((resolve) => {
        asked.push(key.join('/'))
        answers.push(resolve)
      }),
    {
      now: () => now,
      nextFrame: (callback) => void frames.push(callback),
      later(callback, ms) {
        const timer = { at: now + ms, callback }
        timers.push(timer)
        return () => void (timers = timers.filter((one) => one !== timer))
      },
    },
  )
  const pass = (ms: number): void => {
    now += ms
    const due = [...frames, ...timers.filter(({ at }) => at <= now).map(({ callback }) => callback)]
    frames = []
    timers = timers.filter(({ at }) => at > now)
    for (const callback of due) callback()
  }
  const answer = async (): Promise<void> => {
    for (const resolve of answers.splice(0)) resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { refresher, asked, pass, answer }
}

const BOARD: Key = ['board', 'default']

test('all changes within one frame cause one read', () => {
  const { refresher, asked, pass } = makeBench()
  for (let at = 0; at < 50; at += 1) refresher.add([BOARD, ['inbox']])
  expect(asked).toEqual([])
  pass(0)
  expect(asked).toEqual(['board/default', 'inbox'])
})

test('a change during a request causes another read, after the request and a pause', async () => {
  const { refresher, asked, pass, answer } = makeBench()
  refresher.add([BOARD])
  pass(0)
  refresher.add([BOARD])
  pass(1_000)
  expect(asked).toHaveLength(1)
  await answer()
  pass(GAP_MS - 1)
  expect(asked).toHaveLength(1)
  pass(1)
  pass(0)
  expect(asked).toHaveLength(2)
})

test('a stopped refresher reads nothing', () => {
  const { refresher, asked, pass } = makeBench()
  refresher.add([BOARD])
  refresher.stop()
  pass(0)
  expect(asked).toEqual([])
})
