import type { Mutation } from './mutation.ts'

export const DISPATCHER_MUTATIONS: readonly Mutation[] = [
  {
    name: 'let passes of two machines with one id take turns',
    file: 'src/dispatcher/leadership/leader-history.ts',
    find: '  return latest\n',
    replace: '  return null\n',
    tests: ['test/dispatcher/leadership/leadership.test.ts'],
    // Only one pass leads at a time, so no invariant of the simulator is broken.
    unseenBySimulator: true,
  },
  {
    name: 'count a start that the dispatcher saw fail',
    file: 'src/dispatcher/recovery/lost-run-ending.ts',
    find: 'if (startFault !== null) return',
    replace: 'if (startFault === undefined) return',
    tests: ['test/dispatcher/launch.test.ts'],
    // No start of the simulator fails while its store is out of reach.
    unseenBySimulator: true,
  },
  {
    name: 'forget what a second machine with the same id has seen',
    file: 'src/dispatcher/recovery/run-watch.ts',
    find: 'boots: [own, ...this.#others].slice(0, KEPT_BOOTS)',
    replace: 'boots: [own]',
    tests: ['test/dispatcher/recovery/run-watch.test.ts'],
    // It needs more coincidences than a few hundred seeds have.
    unseenBySimulator: true,
  },
  {
    name: 'count a start that failed while the store was out of reach',
    file: 'src/dispatcher/recovery/lost-run-ending.ts',
    find: 'startedAt < leadership.since() || !leadership.isCurrent()',
    replace: 'startedAt < 0',
    tests: ['test/dispatcher/recovery/recover.test.ts'],
    // It needs more coincidences than a few hundred seeds have.
    unseenBySimulator: true,
  },
  {
    name: 'count a start that never was, as the claim was not confirmed',
    file: 'src/dispatcher/recovery/lost-run-ending.ts',
    find: 'if (!runWatch.wasStarted(run))',
    replace: 'if (false)',
    tests: ['test/dispatcher/recovery/recover.test.ts'],
    // It needs more coincidences than a few hundred seeds have.
    unseenBySimulator: true,
  },
  {
    name: 'trust a clock that was set',
    file: 'src/dispatcher/recovery/run-watch.ts',
    find: 'this.#trustedFrom = at + doubtMs',
    replace: 'this.#trustedFrom = at',
    tests: ['test/dispatcher/recovery/run-watch.test.ts'],
    // It needs a clock that is set while a supervisor starts, which few seeds have.
    unseenBySimulator: true,
  },
]
