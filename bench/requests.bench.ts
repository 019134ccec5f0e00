import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unwrap } from '../src/core/command.ts'
import { openStore } from '../src/storage/open.ts'
import { newTaskId } from '../src/util/mint.ts'
import { BOARD } from '../test/helpers/places.ts'
import { bundleProgram, childEnvironment, withWorkers } from '../test/helpers/processes.ts'
import { AGENT } from './programs/cycle.ts'
import { fillBoard } from './programs/fill-board.ts'
import { httpClient, startHttpUp } from './programs/http-up.ts'
import type { HttpUp } from './programs/http-up.ts'
import { info, median, ratio } from './report.ts'

const SMALL = 1_000
const LARGE = 100_000
const READY = 500
const BODIES = 50
const BODY_BYTES = 1_000_000
const ROUNDS = 150
const WARM_UP = 50
const REQUESTS = 1_500
const CALLERS = 8
const DELAY_MS = 5_000

const PATHS = { list: `/api/tasks?limit=50&board=${BOARD}`, board: `/api/board?board=${BOARD}` } as const

/** Measures requests to `muster up --no-dispatch`, on boards of different sizes and with long cards. */
export async function benchRequests(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  const homes = { small: join(folder, 'small'), large: join(folder, 'large'), heavy: join(folder, 'heavy') }
  try {
    await fillBoard(join(homes.small, 'muster.db'), { size: SMALL, claimable: READY })
    await fillBoard(join(homes.large, 'muster.db'), { size: LARGE, claimable: READY })
    await fillBoard(join(homes.heavy, 'muster.db'), { size: SMALL, claimable: READY })
    await addCards(homes.small, 'short')
    await addCards(homes.large, 'short')
    await addCards(homes.heavy, 'x'.repeat(BODY_BYTES))
    await withUps([homes.small, homes.large, homes.heavy], async ([small, large, heavy]) => {
      for (const [name, path] of Object.entries(PATHS)) {
        const [one, big, long] = await alternate([small, large, heavy], path)
        ratio(`http-${name}-100k`, big / one, '<=1.5')
        ratio(`http-${name}-long-bodies`, long / one, '<=1.3')
        info(`GET ${path}: ${one.toFixed(1)} ms, on 100k cards ${big.toFixed(1)} ms, long bodies ${long.toFixed(1)} ms`)
      }
      await compareWithHono(small)
      await measureDelay(small)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Adds cards that are first on every page. */
async function addCards(home: string, body: string): Promise<void> {
  const store = await openStore({ engine: 'sqlite', path: join(home, 'muster.db') }, { mode: 'write' })
  const cards = Array.from({ length: BODIES }, () => ({ id: newTaskId(), title: 'First', priority: 9, body }))
  const command = { verb: 'create', board: BOARD, actor: { kind: 'person', name: 'ada' } } as const
  for (let at = 0; at < cards.length; at += 10)
    unwrap(await store.decide({ ...command, input: { cards: cards.slice(at, at + 10) } }))
  await store.close()
}

type Three = readonly [HttpUp, HttpUp, HttpUp]

async function withUps(homes: readonly string[], work: (ups: Three) => Promise<void>): Promise<void> {
  const ups = await Promise.all(homes.map(startHttpUp))
  const [small, large, heavy] = ups
  try {
    if (small && large && heavy) await work([small, large, heavy])
  } finally {
    await Promise.all(ups.map((up) => up.stop()))
  }
}

/** The median time of a request to each server. They take turns, so that other load affects all of them. */
async function alternate(ups: Three, path: string): Promise<readonly [number, number, number]> {
  const times = ups.map((): number[] => [])
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1)
    for (const [at, up] of ups.entries()) {
      const started = performance.now()
      await up.get(path)
      if (round >= WARM_UP) times[at]?.push(performance.now() - started)
    }
  const [one = 0, two = 0, three = 0] = times.map(median)
  return [one, two, three]
}

async function compareWithHono(up: HttpUp): Promise<void> {
  const [first] = JSON.parse(await up.get(PATHS.list)) as readonly { readonly id: string }[]
  const path = `/api/tasks/${first?.id}`
  const [assigned] = JSON.parse(await up.get(`${PATHS.list}&assignee=${AGENT}`)) as readonly { readonly id: string }[]
  const bare = await startBare(await up.get(path))
  try {
    const rates = { own: [] as number[], agent: [] as number[], bare: [] as number[] }
    for (let round = 0; round < 6; round += 1) {
      const own = await requestsPerSecond(up.get, path)
      const other = await requestsPerSecond(bare.get, '/card')
      const agent = await requestsPerSecond(up.get, `/api/tasks/${assigned?.id}`)
      if (round === 0) continue
      rates.own.push(own)
      rates.bare.push(other)
      rates.agent.push(agent)
    }
    const [own, agent, other] = [median(rates.own), median(rates.agent), median(rates.bare)]
    ratio('http-task-vs-hono', own / other, '>=0.4')
    info(
      `GET /api/tasks/:id: ${own.toFixed(0)} requests/s, with an agent ${agent.toFixed(0)}; a bare route: ${other.toFixed(0)} requests/s`,
    )
  } finally {
    await bare.stop()
  }
}

async function startBare(card: string) {
  const program = await bundleProgram('bench/programs/bare-hono.ts')
  const child = spawn(process.execPath, [program], { env: childEnvironment(), stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  child.stdin.end(card)
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const client = httpClient(Number(port))
  return {
    get: client.get,
    stop: async () => {
      client.close()
      child.kill()
      await ended
    },
  }
}

async function requestsPerSecond(get: (path: string) => Promise<string>, path: string): Promise<number> {
  let left = REQUESTS
  const started = performance.now()
  const caller = async (): Promise<void> => {
    for (; left > 0; left -= 1) await get(path)
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return REQUESTS / ((performance.now() - started) / 1000)
}

/** The delay of the event loop while another process writes as fast as it can, compared with an idle store. */
async function measureDelay(up: HttpUp): Promise<void> {
  const delayOf = async (): Promise<number> => {
    const [, seconds = ''] = /^nodejs_eventloop_lag_p99_seconds (.+)$/m.exec(await up.get('/metrics')) ?? []
    return Number(seconds) * 1000
  }
  await sleep(DELAY_MS)
  await delayOf()
  await sleep(DELAY_MS)
  const idle = await delayOf()
  await withWorkers({ engine: 'sqlite', path: up.store }, 1, async ([writer]) => {
    if (writer === undefined) throw new Error('no writer')
    await writer.run('writeSparsely', { count: 3_000, everyMs: 0 })
  })
  const busy = await delayOf()
  ratio('http-loop-delay', busy / idle, '<=3')
  info(`event-loop delay, p99: idle ${idle.toFixed(1)} ms, during commits ${busy.toFixed(1)} ms`)
}
