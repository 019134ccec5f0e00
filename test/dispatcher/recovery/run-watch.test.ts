import { describe, expect, test } from 'vitest'
import type { Run } from '../../../src/core/run.ts'
import { RunWatch } from '../../../src/dispatcher/recovery/run-watch.ts'
import { identity, sampleRun } from '../../helpers/sample.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const LEASE = 120 * SECOND
const limits = { leaseMs: LEASE, takeOverMs: 10 * SECOND }

/**
 * Makes a dispatcher that observes a run every five seconds. The test controls its wall clock and its monotonic clock.
 */
function watch(given: Partial<Run>, { separatePasses = false } = {}) {
  let runWatch = new RunWatch('boot-1')
  let run = sampleRun({ identity: identity(), startedAt: 0, leaseUntil: LEASE, ...given })
  let wall = 0
  let at = 0
  let isCurrent = true
  const look = () => {
    if (separatePasses) runWatch = new RunWatch('boot-1', runWatch.toMemory())
    const trusted = runWatch.observe([run], { now: wall, at, seenAt: at, doubtMs: 30 * SECOND, isCurrent })
    return { trusted, hung: runWatch.hangReason(run, { now: wall, at }, limits) }
  }
  look()
  return {
    get runWatch() {
      return runWatch
    },
    get run() {
      return run
    },
    setCurrent: (value: boolean) => (isCurrent = value),
    change: (patch: Partial<Run>) => (run = { ...run, ...patch }),
    setClock: (byMs: number) => (wall += byMs),
    /** Lets time pass, and returns the last observation. */
    pass: (ms: number, renews = false) => {
      let answer = look()
      for (const end = at + ms; at < end;) {
        at += 5 * SECOND
        wall += 5 * SECOND
        if (renews) run = { ...run, leaseUntil: wall + LEASE }
        answer = look()
      }
      return answer
    },
  }
}

test('a supervisor counts as hung one lease after its lease expired', () => {
  const { pass } = watch({})
  expect(pass(LEASE + LEASE - 10 * SECOND).hung).toBeNull()
  expect(pass(15 * SECOND).hung).toBe('interrupted')
})

test('no supervisor counts as hung while the dispatcher cannot write (scenario 63)', () => {
  const { pass, setCurrent } = watch({})
  setCurrent(false)
  expect(pass(10 * LEASE).hung).toBeNull()
  setCurrent(true)
  expect(pass(LEASE - 5 * SECOND).hung).toBeNull()
  expect(pass(5 * SECOND).hung).toBe('interrupted')
})

test('a supervisor that renews its lease never counts as hung (scenario 12)', () => {
  expect(watch({}).pass(2 * HOUR, true).hung).toBeNull()
})

test('no run counts as hung shortly after a clock change (scenario 65)', () => {
  const { pass, setClock } = watch({})
  pass(60 * SECOND, true)
  setClock(2 * HOUR)
  expect(pass(5 * SECOND)).toEqual({ trusted: false, hung: null })
  expect(pass(30 * SECOND, true)).toEqual({ trusted: true, hung: null })
  setClock(-3 * HOUR)
  expect(pass(5 * SECOND).trusted).toBe(false)
  expect(pass(HOUR, true)).toEqual({ trusted: true, hung: null })
})

test('after a machine wakes from sleep, no supervisor counts as hung (scenario 67)', () => {
  const { pass, setClock } = watch({ maxRuntimeMs: HOUR })
  pass(60 * SECOND, true)
  setClock(8 * HOUR)
  expect(pass(60 * SECOND, true).hung).toBeNull()
})

test('a hung supervisor is noticed even if the clock is set back', () => {
  const { pass, setClock } = watch({})
  setClock(-3 * HOUR)
  expect(pass(2 * LEASE - 5 * SECOND).hung).toBeNull()
  expect(pass(5 * SECOND).hung).toBe('interrupted')
})

test('a supervisor that ignores an intent counts as hung after ten seconds', () => {
  const { pass, change } = watch({})
  change({ intent: { verb: 'stop' } as Run['intent'] })
  expect(pass(5 * SECOND).hung).toBeNull()
  expect(pass(5 * SECOND).hung).toBe('intent')
})

test('a supervisor that renewed after an intent does not count as hung', () => {
  const watched = watch({})
  const { pass, change, runWatch } = watched
  change({ intent: { verb: 'complete' } as Run['intent'] })
  pass(0)
  expect(runWatch.newIntents([watched.run], 0)).toEqual([sampleRun().id])
  expect(pass(HOUR, true).hung).toBeNull()
  expect(runWatch.newIntents([watched.run], HOUR)).toEqual([])
})

test('while a supervisor ends its agent, lease renewals keep it from counting as hung', () => {
  const { pass, change } = watch({})
  change({ intent: { verb: 'stop' } as Run['intent'], terminatingAt: 1 })
  expect(pass(HOUR, true).hung).toBeNull()
  expect(pass(LEASE / 2).hung).toBe('interrupted')
})

test('a supervisor that ignores the time limit counts as hung ten seconds later', () => {
  const { pass } = watch({ maxRuntimeMs: 60 * SECOND })
  expect(pass(65 * SECOND, true).hung).toBeNull()
  expect(pass(5 * SECOND, true).hung).toBe('timed_out')
})

test('a run that cannot be ended is reported once', () => {
  const { runWatch } = watch({})
  const { id } = sampleRun()
  expect([runWatch.isFirstReport(id), runWatch.isFirstReport(id)]).toEqual([true, false])
})

test('a clock change does not change how long a run has been observed', () => {
  const { runWatch, pass, setClock, run } = watch({ identity: null })
  setClock(-HOUR)
  pass(25 * SECOND)
  expect(runWatch.wasWatchedFor(run, 25 * SECOND, 30 * SECOND)).toBe(false)
  pass(5 * SECOND)
  expect(runWatch.wasWatchedFor(run, 30 * SECOND, 30 * SECOND)).toBe(true)
})

describe('separate passes', () => {
  const watchPasses = (given: Partial<Run>) => watch(given, { separatePasses: true })

  test('separate passes notice a supervisor whose lease has expired', () => {
    const { pass } = watchPasses({})
    expect(pass(LEASE + LEASE - 10 * SECOND).hung).toBeNull()
    expect(pass(15 * SECOND).hung).toBe('interrupted')
  })

  test('separate passes notice an exceeded time limit and an ignored intent', () => {
    expect(watchPasses({ maxRuntimeMs: 60 * SECOND }).pass(70 * SECOND, true).hung).toBe('timed_out')
    const { pass, change } = watchPasses({})
    change({ intent: { verb: 'reclaim' } as Run['intent'] })
    expect(pass(10 * SECOND).hung).toBe('intent')
  })

  test('separate passes notice a clock change', () => {
    const { pass, setClock } = watchPasses({})
    pass(60 * SECOND, true)
    setClock(2 * HOUR)
    expect(pass(5 * SECOND)).toEqual({ trusted: false, hung: null })
    expect(pass(30 * SECOND, true)).toEqual({ trusted: true, hung: null })
  })

  test('separate passes report once that a run cannot be ended', () => {
    const watched = watchPasses({})
    const { id } = watched.run
    expect(watched.runWatch.isFirstReport(id)).toBe(true)
    watched.pass(5 * SECOND)
    expect(watched.runWatch.isFirstReport(id)).toBe(false)
  })

  test('a pass ignores observations from before a reboot, and invalid ones', () => {
    const { runWatch, pass, run } = watchPasses({})
    pass(LEASE)
    expect(runWatch.wasWatchedFor(run, LEASE, LEASE)).toBe(true)
    expect(new RunWatch('boot-2', runWatch.toMemory()).wasWatchedFor(run, LEASE, 0)).toBe(false)
    expect(new RunWatch('boot-1', '{"version":1}').wasWatchedFor(run, LEASE, 0)).toBe(false)
    expect(new RunWatch('boot-1', '{').wasWatchedFor(run, LEASE, 0)).toBe(false)
  })
})

test('two machines with one id preserve each other’s observations', () => {
  const run = sampleRun({ identity: identity(), startedAt: 0, leaseUntil: LEASE })
  let memory: string | null = null
  const pass = (bootId: string, at: number): boolean => {
    const runWatch = new RunWatch(bootId, memory)
    runWatch.observe([run], { now: at, at, seenAt: at, doubtMs: 30 * SECOND, isCurrent: true })
    memory = runWatch.toMemory()
    return runWatch.isUnrenewed(run, at, LEASE)
  }
  for (let at = 0; at < LEASE; at += 30 * SECOND)
    for (const boot of ['boot-a', 'boot-b']) expect(pass(boot, at)).toBe(false)
  for (const boot of ['boot-a', 'boot-b']) expect(pass(boot, LEASE)).toBe(true)
})

test('dispatchers search for unknown runs until a search finds no such run', () => {
  const fresh = new RunWatch('boot-1')
  expect(fresh.mayHaveUnknownRuns()).toBe(true)
  expect(new RunWatch('boot-1', fresh.toMemory()).mayHaveUnknownRuns()).toBe(true)
  const { id } = sampleRun()
  fresh.keepUnknownRuns(new Map([[id, 5]]))
  const next = new RunWatch('boot-1', fresh.toMemory())
  expect([next.mayHaveUnknownRuns(), next.unknownSince(id, 9)]).toEqual([true, 5])
  next.keepUnknownRuns(new Map())
  expect(new RunWatch('boot-1', next.toMemory()).mayHaveUnknownRuns()).toBe(false)
})

test('a lease counts as unrenewed only after its whole length was observed', () => {
  const { runWatch, pass } = watch({ machine: 'elsewhere' })
  const foreign = sampleRun({ identity: identity(), startedAt: 0, leaseUntil: LEASE })
  expect(runWatch.isUnrenewed(foreign, 0, LEASE)).toBe(false)
  pass(LEASE, true)
  expect(runWatch.isUnrenewed(foreign, LEASE, LEASE)).toBe(false)
  pass(LEASE - 5 * SECOND)
  expect(runWatch.isUnrenewed(foreign, 2 * LEASE - 5 * SECOND, LEASE)).toBe(false)
  pass(5 * SECOND)
  expect(runWatch.isUnrenewed(foreign, 2 * LEASE, LEASE)).toBe(true)
})

test('a dispatcher that was suspended during a read does not overestimate a run’s age', () => {
  const runWatch = new RunWatch('boot-1')
  const run = sampleRun({ identity: identity(), startedAt: HOUR, leaseUntil: HOUR + LEASE, maxRuntimeMs: 60 * SECOND })
  const how = { doubtMs: 0, isCurrent: true }
  runWatch.observe([run], { now: HOUR, at: 0, seenAt: HOUR, ...how })
  // The machine sleeps for two minutes, which the monotonic clock does not count.
  const now = HOUR + 120 * SECOND
  runWatch.observe([run], { now, at: HOUR + SECOND, seenAt: HOUR + SECOND, ...how })
  expect(runWatch.hangReason(run, { now, at: HOUR + SECOND }, limits)).toBeNull()
  expect(runWatch.hangReason(run, { now, at: HOUR + 70 * SECOND }, limits)).toBe('timed_out')
})
