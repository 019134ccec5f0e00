import type { Mutation } from './mutation.ts'

export const DISPATCHER_MUTATIONS: readonly Mutation[] = [
  {
    name: 'let two machines with one id dispatch in turn',
    file: 'src/dispatcher/leadership/leader-history.ts',
    find: '  return latest\n',
    replace: '  return null\n',
    tests: ['test/dispatcher/leadership/leadership.test.ts'],
    // With this bug, still only one machine dispatches at a time, so no invariant of the simulator is broken.
    unseenBySimulator: true,
  },
  {
    name: 'count a start that failed in the dispatcher as a failure',
    file: 'src/dispatcher/recovery/lost-run-ending.ts',
    find: 'if (startFault !== null) return',
    replace: 'if (startFault === undefined) return',
    tests: ['test/dispatcher/launch.test.ts'],
    // No start fails in the simulator while the store is unreachable.
    unseenBySimulator: true,
  },
  {
    name: 'drop the observations of a second machine with the same id',
    file: 'src/dispatcher/recovery/run-watch.ts',
    find: 'boots: [own, ...this.#others].slice(0, KEPT_BOOTS)',
    replace: 'boots: [own]',
    tests: ['test/dispatcher/recovery/run-watch.test.ts'],
    // The bug needs several rare events at once, which a few hundred seeds do not have.
    unseenBySimulator: true,
  },
  {
    name: 'count a start that failed while the store was unreachable',
    file: 'src/dispatcher/recovery/lost-run-ending.ts',
    find: 'startedAt < leadership.since() || !leadership.isCurrent()',
    replace: 'startedAt < 0',
    tests: ['test/dispatcher/recovery/recover.test.ts'],
    // The bug needs several rare events at once, which a few hundred seeds do not have.
    unseenBySimulator: true,
  },
  {
    name: 'count a start after an unconfirmed claim',
    file: 'src/dispatcher/recovery/lost-run-ending.ts',
    find: 'if (!runWatch.wasStarted(run))',
    replace: 'if (false)',
    tests: ['test/dispatcher/recovery/recover.test.ts'],
    // The bug needs several rare events at once, which a few hundred seeds do not have.
    unseenBySimulator: true,
  },
  {
    name: 'trust a clock right after it was set',
    file: 'src/dispatcher/recovery/run-watch.ts',
    find: 'this.#trustedFrom = at + doubtMs',
    replace: 'this.#trustedFrom = at',
    tests: ['test/dispatcher/recovery/run-watch.test.ts'],
    // The clock must be set while a supervisor starts, which rarely happens in a simulation.
    unseenBySimulator: true,
  },
]
