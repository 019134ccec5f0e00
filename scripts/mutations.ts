/** Faults that somebody could make one day. Each must be noticed by a test; `npm run mutate` shows which. */
export interface Mutation {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** Test files (or folders) that should notice, cheapest first. */
  readonly tests: readonly string[]
  /** The simulator has neither locks nor files of a store: what is wrong with those, or has a second guard, it cannot see. */
  readonly unseenBySimulator?: true
}

const CORE = ['test/core']
const STORE = ['test/storage']

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'drop the fence compare',
    file: 'src/core/lease.ts',
    find: 'run.tokenHash === fence.tokenHash',
    replace: 'fence.tokenHash !== ""',
    tests: CORE,
  },
  {
    name: 'let a closed run own its card',
    file: 'src/core/lease.ts',
    find: 'run.endedAt === null &&',
    replace: '',
    tests: [...CORE, ...STORE],
    // The store keeps a closed run from every decision already; this is the second lock.
    unseenBySimulator: true,
  },
  {
    name: 'drop the parent gate in claim',
    file: 'src/core/admission.ts',
    find: 'if (openParents.length === 0) return []',
    replace: 'if (openParents.length >= 0) return []',
    tests: [...CORE, ...STORE],
  },
  {
    name: 'reset the counter on promote',
    file: 'src/core/transitions/waiting.ts',
    find: "patch: { ...NOT_BLOCKED, ...NO_WAITS, status: 'ready' },",
    replace: "patch: { ...NOT_BLOCKED, ...NO_WAITS, status: 'ready', consecutiveFailures: 0 },",
    tests: CORE,
  },
  {
    name: 'skip the event of a completion',
    file: 'src/core/moves.ts',
    find: "kind: 'completed',",
    replace: "kind: 'edited' as 'completed',",
    tests: CORE,
  },
  {
    name: 'start one more than the cap',
    file: 'src/core/admission.ts',
    find: 'limit === null || used < limit',
    replace: 'limit === null || used <= limit',
    tests: CORE,
  },
  {
    name: 'count a rate limit as a failure',
    file: 'src/core/retry.ts',
    find: "['crashed', 'timed_out',",
    replace: "['rate_limited', 'crashed', 'timed_out',",
    tests: CORE,
  },
  {
    name: 'drop what a superseded run said',
    file: 'src/core/transitions/guards.ts',
    find: "{ events: [{ kind: 'late_result', taskId: task.id, runId: fence.runId, data: { verb, content } }] }",
    replace: '{ events: [] }',
    tests: CORE,
  },
  {
    name: 'let a worker open a human gate',
    file: 'src/core/transitions/guards.ts',
    find: 'isRefused(task) || opensGates(actor)) return task',
    replace: 'isRefused(task) || actor) return task',
    tests: CORE,
  },
  {
    name: 'forget that archived satisfies',
    file: 'src/core/readiness.ts',
    find: "status === 'done' || status === 'archived'",
    replace: "status === 'done'",
    tests: [...CORE, ...STORE],
  },
  {
    name: 'look again too late',
    file: 'src/core/deadlines.ts',
    find: 'Math.min(...deadlines)',
    replace: 'Math.max(...deadlines)',
    tests: CORE,
  },
  {
    name: 'let automatic promotion open the breaker',
    file: 'src/core/failure.ts',
    find: "({ status: 'blocked', breakerOpen: true, blockKind",
    replace: "({ status: 'ready', breakerOpen: true, blockKind",
    tests: CORE,
  },
  {
    name: 'shift waived links too',
    file: 'src/storage/gate-shift.ts',
    find: 'parent_id = ${parent} and waived_by is null',
    replace: 'parent_id = ${parent}',
    tests: STORE,
  },
  {
    name: 'promote a child whose other parent is open',
    file: 'src/storage/gate-shift.ts',
    find: "status = 'todo' and open_parents = 0 and deleted_at is null",
    replace: "status = 'todo' and deleted_at is null",
    tests: STORE,
  },
  {
    name: 'sweep what a child may still need',
    file: 'src/core/transitions/sweep.ts',
    find: 'if (waiting !== null)',
    replace: 'if (waiting === undefined)',
    tests: CORE,
    // Whoever sweeps has asked the same before; this is what makes it certain.
    unseenBySimulator: true,
  },
  {
    name: 'come back to files that are being swept',
    file: 'src/core/transitions/reopen.ts',
    find: 'task.id : facts.sweeping',
    replace: 'task.id : null',
    tests: CORE,
    // Its people lie in wait for the moment of a sweep, which is short: few seeds meet it.
    unseenBySimulator: true,
  },
  {
    name: 'let a sweep race past a card that comes back',
    file: 'src/core/transitions/sweep.ts',
    find: "graph: stage === 'begin'",
    replace: 'graph: false',
    tests: STORE,
    unseenBySimulator: true,
  },
  {
    name: 'write no events',
    file: 'src/storage/decide.ts',
    find: 'if (events.length > 0) {',
    replace: 'if (events.length > 1_000_000) {',
    tests: STORE,
  },
  {
    name: 'let edges race past each other',
    file: 'src/storage/decide.ts',
    find: 'if (scope.graph) yield* dialect.lockGraph(command.board)',
    replace: '',
    tests: ['test/e2e/races.test.ts'],
    unseenBySimulator: true,
  },
  {
    name: 'take a row without its lock',
    file: 'src/storage/postgres/dialect.ts',
    find: "forUpdate = raw('for update')",
    replace: "forUpdate = raw('')",
    tests: [...STORE, 'test/e2e/races.test.ts'],
    unseenBySimulator: true,
  },
  {
    name: 'lock parents after children',
    file: 'src/storage/decide.ts',
    find: '  const [boardRow, slots, account, dispatcher,',
    replace:
      '  yield* lockTasks(board, scope.tasks ?? [], forUpdate)\n  const [boardRow, slots, account, dispatcher,',
    tests: STORE,
    unseenBySimulator: true,
  },
  {
    name: 'commit although a compare-and-set matched nothing',
    file: 'src/storage/postgres/connection.ts',
    find: 'statement.orConflict === null ? statement.write : guarded(statement.write)',
    replace: 'statement.write',
    tests: STORE,
    unseenBySimulator: true,
  },
  {
    name: 'write outside of a transaction',
    file: 'src/storage/postgres/connection.ts',
    find: 'readOnly: true, connections: 1',
    replace: 'readOnly: false, connections: 1',
    tests: STORE,
    unseenBySimulator: true,
  },
  {
    name: 'read the clock before the locks',
    file: 'src/storage/postgres/dialect.ts',
    find: 'clock_timestamp()',
    replace: 'now()',
    tests: STORE,
    unseenBySimulator: true,
  },
  {
    name: 'commit without syncing',
    file: 'src/storage/sqlite/connection.ts',
    find: 'pragma synchronous = full;',
    replace: 'pragma synchronous = normal;',
    tests: STORE,
    unseenBySimulator: true,
  },
  {
    name: 'open for reading with the right to write',
    file: 'src/storage/sqlite/open.ts',
    find: "mode === 'read' ? 'ro' : 'rw'",
    replace: "'rw'",
    tests: STORE,
    unseenBySimulator: true,
  },
  {
    name: 'bind missing parameters as null',
    file: 'src/storage/sqlite/connection.ts',
    find: 'if (values.length !== strings.length - 1)',
    replace: 'if (values.length > strings.length)',
    tests: STORE,
    unseenBySimulator: true,
  },
  {
    name: 'leave statements open on close',
    file: 'src/storage/sqlite/connection.ts',
    find: '    collectGarbage()\n    await nextTurn()',
    replace: '    await nextTurn()',
    tests: [...STORE, 'test/e2e/durability.test.ts'],
    unseenBySimulator: true,
  },
  {
    name: 'accept a store from the future',
    file: 'src/storage/migrate.ts',
    find: 'state.minCode > CODE_VERSION',
    replace: 'state.minCode > CODE_VERSION + 1_000_000',
    tests: STORE,
    unseenBySimulator: true,
  },
  {
    name: 'never give up a store that does not answer',
    file: 'src/workers/supervisor/lease.ts',
    find: "if (store.engine !== 'postgres') return { heard: () => {}, stop: () => {} }",
    replace: 'if (store.engine) return { heard: () => {}, stop: () => {} }',
    tests: ['test/workers/lease.test.ts'],
    // The watchdog ends the agent at the same moment; only where it is gone as well does it matter.
    unseenBySimulator: true,
  },
  {
    name: 'take a reused pid for the same process',
    file: 'src/workers/identity.ts',
    find: ' && found.startTime === identity.startTime',
    replace: '',
    tests: ['test/workers/identity.test.ts'],
    // Pids come around too seldom there for a stranger to have that of a supervisor.
    unseenBySimulator: true,
  },
  {
    name: 'let OpenCode edit what it may only read',
    file: 'src/workers/harnesses/opencode-rules.ts',
    find: "...rules(denied, 'deny'), ",
    replace: '',
    tests: ['test/workers/harnesses'],
    unseenBySimulator: true,
  },
  {
    name: 'let Gemini CLI edit a file by its bare name',
    file: 'src/workers/harnesses/gemini-policy.ts',
    find: "unwritable(['replace'], elsewhere,",
    replace: "unwritable(['replace'], `${elsewhere}/`,",
    tests: ['test/workers/harnesses'],
    unseenBySimulator: true,
  },
  {
    name: 'open a workspace around the data folder',
    file: 'src/workers/readable-folders.ts',
    find: '[...folders].filter((folder) => leadsOut(folder, home))',
    replace: '[...folders]',
    tests: ['test/workers/harnesses'],
    unseenBySimulator: true,
  },
  {
    name: 'give a key to a program that ignores its gateway',
    file: 'src/workers/supervisor/work.ts',
    find: 'return withoutKeys(allowed, withheldKeys(programNameOf({ harness, args }), allowed))',
    replace: 'return allowed',
    tests: ['test/workers/prepare-work.test.ts'],
    unseenBySimulator: true,
  },
  {
    name: 'leave the address of a gateway behind',
    file: 'src/workers/environment.ts',
    find: 'named.flatMap((name) => [name, ...addressesFor(name)])',
    replace: 'named',
    tests: ['test/workers/environment.test.ts'],
    unseenBySimulator: true,
  },
  {
    name: 'count the tokens of a session once per turn',
    file: 'src/workers/stream/usage-meter.ts',
    find: 'return now === null || isRestarted ? now : now - past(field)',
    replace: 'return now',
    tests: ['test/workers/ear.test.ts'],
    unseenBySimulator: true,
  },
]

/** Faults of what runs: the dispatcher's and the supervisor's. The simulator must notice each. */
export const RUN_MUTATIONS: readonly Omit<Mutation, 'tests'>[] = [
  {
    name: 'release before death',
    file: 'src/workers/supervisor/end-group.ts',
    find: 'let left = await terminateGroup(host.processes, key, ticket)',
    replace: 'let left: readonly ProcessInfo[] = []; void terminateGroup(host.processes, key, ticket)',
  },
  {
    name: 'settle twice',
    file: 'src/dispatcher/recover.ts',
    find: "return sight === 'alive' ? null : sight === 'unseen' ? afterLease : 'dead'",
    replace: "return sight === 'dead' ? null : 'dead'",
  },
  {
    name: 'ignore the start deadline',
    file: 'src/dispatcher/recover.ts',
    find: 'if (run.identity === null) return settleRun(leading, run, unstarted(leading, run), { directory: null, loss })',
    replace: 'if (run.identity === null) return null',
  },
  {
    name: 'lease from activity',
    file: 'src/workers/supervisor/lease.ts',
    find: 'const sentAt = performance.now()\n    try {',
    replace: 'const sentAt = performance.now()\n    try {\n      if (!listener.isActive()) return true',
  },
  {
    name: 'leave no mark beside the exit status',
    file: 'src/workers/exit-file.ts',
    find: "writeFile(cutOff, '', { mode: 0o600, flush: true })",
    replace: 'Promise.resolve()',
  },
  {
    name: 'let no watchdog stand by',
    file: 'src/workers/supervisor/watchdog.ts',
    find: "if (store.engine !== 'postgres') return NO_WATCHDOG",
    replace: 'if (store.engine) return NO_WATCHDOG',
  },
  {
    name: 'take a rebooted machine for the same',
    file: 'src/workers/identity.ts',
    find: "if (identity.bootId !== bootId) return engine === 'sqlite' ? 'dead' : 'unseen'",
    replace: '',
  },
  {
    name: 'take over the runs of a second machine with the same id at once',
    file: 'src/workers/identity.ts',
    find: "return engine === 'sqlite' ? 'dead' : 'unseen'",
    replace: "return 'dead'",
  },
  {
    name: 'count a shutdown as a crash',
    file: 'src/workers/supervisor/conclude.ts',
    find: "return (await causes.comesWithin('asked', ticket.terminateGraceMs)) ? { kind: 'asked' } : cause",
    replace: 'return cause',
  },
  {
    name: 'forget between two passes what was seen',
    file: 'src/dispatcher/lead.ts',
    find: 'new Vigil(identity.bootId, memory)',
    replace: 'new Vigil(identity.bootId)',
  },
  {
    name: 'count a start that failed while the store was out of reach',
    file: 'src/dispatcher/recover.ts',
    find: 'startedAt < lead.since() || !lead.isCurrent()',
    replace: 'startedAt < 0',
  },
  {
    name: 'close a run that is still starting',
    file: 'src/dispatcher/start-of-run.ts',
    find: "if (sight === 'alive') return 'coming'",
    replace: '',
  },
  {
    name: 'claim anew after a lost answer',
    file: 'src/dispatcher/launch.ts',
    find: "store.decide({ verb: 'claim', board, actor: DISPATCHER, input })",
    replace: "store.decide({ verb: 'claim', board, actor: DISPATCHER, input: { ...input, runId: newRunId() } })",
  },
  {
    name: 'forget how a lost agent ended',
    file: 'src/dispatcher/recover.ts',
    find: 'if (exit !== null && ownEnd) return',
    replace: 'if (exit !== null && ownEnd && run.board === "") return',
  },
  {
    name: 'work without the guard',
    file: 'src/workers/supervisor/guard.ts',
    find: 'const run = registered.ok ? await store.run(fence.runId) : null\n      return registered.ok && run !== null',
    replace: `const run = await store.run(fence.runId)
      return run !== null
        ? { ...claim, task, run, leaseMs: 120_000, guardedAt: performance.now(), nudgedAt } : run`,
  },
  {
    name: 'trust a clock that was set',
    file: 'src/dispatcher/vigil.ts',
    find: 'this.#trustedFrom = at + doubtMs',
    replace: 'this.#trustedFrom = at',
  },
  {
    name: 'complete without the checks',
    file: 'src/workers/supervisor/examiner.ts',
    find: "if (task === null || checks.length === 0) return { kind: 'unneeded' }",
    replace: "if (task === null || checks.length < 10) return { kind: 'unneeded' }",
  },
  {
    name: "count the runtime by the store's clock",
    file: 'src/workers/supervisor/alarm.ts',
    find: 'setAlarm(guardedAt + maxRuntimeMs - performance.now(), ring)',
    replace: 'setAlarm(run.startedAt + maxRuntimeMs - Date.now(), ring)',
  },
  {
    name: 'leave the exit status of a turn for the next one',
    file: 'src/workers/exit-file.ts',
    find: 'for (const file of [exit, cutOff, pid, verdict, toolsHolder])',
    replace: 'for (const file of [cutOff, pid, verdict, toolsHolder])',
  },
  {
    name: 'ask for a verdict again and again',
    file: 'src/core/turns.ts',
    find: 'export const NUDGES = 2',
    replace: 'export const NUDGES = 20',
  },
  {
    name: 'begin a turn while the last one lives',
    file: 'src/workers/supervisor/conclude.ts',
    find: "await endGroup(owned, wrapper, 'leftovers')",
    replace: "if (owned.ticket.completesOnExit) await endGroup(owned, wrapper, 'leftovers')",
  },
]
