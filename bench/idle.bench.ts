/** Measures CPU and memory of an idle `muster up`, and of supervisors whose agents work. Linux only. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { newTaskId } from '../src/util/mint.ts'
import { waitUntil } from '../src/processes/wait-until.ts'
import { info, ratio } from './report.ts'
import { memory } from './programs/memory.ts'
import { startUp } from './programs/up.ts'

/** Node collects its heap some seconds after a process becomes idle, so the measurement starts later. */
const SETTLE_MS = 12_000
const MEASURE_MS = 20_000
/** The unit of /proc/<pid>/stat on every Linux that Node supports. */
const TICKS_A_SECOND = 100
const SUPERVISORS = 4

export async function benchIdle(): Promise<void> {
  if (process.platform !== 'linux') return info('idle was not run: it needs /proc')
  const up = await startUp()
  try {
    await sleep(SETTLE_MS)
    const before = cpuSeconds(up.pid)
    await sleep(MEASURE_MS)
    ratio('idle-up-percent', ((cpuSeconds(up.pid) - before) / (MEASURE_MS / 1000)) * 100, '<=0.5')
    ratio('idle-up-rss-mb', memory(up.pid).rss, '<=90')
    const cards = Array.from({ length: SUPERVISORS }, () => ({
      id: newTaskId(),
      title: 'sleeps',
      assignee: 'shell',
      body: 'exec sleep 600',
    }))
    await up.decide('create', { cards })
    const alive = async (): Promise<number[] | null> => {
      const pids = (await up.store.openRuns(null)).flatMap(({ identity }) => identity?.pid ?? [])
      return pids.length === SUPERVISORS ? pids : null
    }
    const pids = (await waitUntil(up.store, alive, { forMs: 30_000, everyMs: 100 })) ?? []
    try {
      await sleep(SETTLE_MS)
      const used = pids.map(memory)
      ratio('idle-supervisor-rss-mb', Math.max(...used.map(({ rss }) => rss)), '<=60')
      ratio('idle-supervisor-pss-mb', Math.max(...used.map(({ pss }) => pss)), '<=15')
    } finally {
      // On SIGTERM, a supervisor ends its agent and settles its run.
      for (const pid of pids) process.kill(pid, 'SIGTERM')
      for (const { id } of cards)
        await up.store.decide({ verb: 'hold', board: 'default', actor: ADA, input: { task: id } })
      const over = async (): Promise<true | null> => ((await up.store.openRuns(null)).length === 0 ? true : null)
      await waitUntil(up.store, over, { forMs: 30_000, everyMs: 100 })
    }
  } finally {
    await up.stop()
  }
}

const ADA = { kind: 'person', name: 'ada' } as const

function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}
