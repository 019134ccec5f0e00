import type { Mutation } from './mutation.ts'

/** Mutations of the dispatcher and the supervisor. The simulator must find every one of them. */
export const RUN_MUTATIONS: readonly Omit<Mutation, 'tests'>[] = [
  {
    name: 'settle a run before its processes are dead',
    file: 'src/supervisor/end-group.ts',
    find: 'let left = await terminateGroup(host.processes, key, ticket)',
    replace: 'let left: readonly ProcessInfo[] = []; void terminateGroup(host.processes, key, ticket)',
  },
  {
    name: 'settle a live run as lost',
    file: 'src/dispatcher/recovery/find-lost-runs.ts',
    find: "return liveness === 'alive' ? null : liveness === 'unseen' ? afterLease : 'dead'",
    replace: "return liveness === 'dead' ? null : 'dead'",
  },
  {
    name: 'ignore the start deadline',
    file: 'src/dispatcher/recovery/recover-lost-run.ts',
    find: 'if (run.identity === null) return settleUnregisteredRun(context, run, loss)',
    replace: 'if (run.identity === null) return null',
  },
  {
    name: 'renew the lease only while the agent is active',
    file: 'src/supervisor/lease.ts',
    find: 'const sentAt = performance.now()\n    try {',
    replace: 'const sentAt = performance.now()\n    try {\n      if (!listener.isActive()) return true',
  },
  {
    name: 'start no watchdog',
    file: 'src/supervisor/start-watchdog.ts',
    find: "if (store.engine !== 'postgres') return NO_WATCHDOG",
    replace: 'if (store.engine) return NO_WATCHDOG',
  },
  {
    name: 'ignore a reboot',
    file: 'src/processes/identity.ts',
    find: "if (identity.bootId !== bootId) return engine === 'sqlite' ? 'dead' : 'unseen'",
    replace: '',
  },
  {
    name: 'take over runs of a second machine with the same id at once',
    file: 'src/processes/identity.ts',
    find: "return engine === 'sqlite' ? 'dead' : 'unseen'",
    replace: "return 'dead'",
  },
  {
    name: 'count a shutdown as a crash',
    file: 'src/supervisor/end-agent.ts',
    find: "return (await causes.arrivesWithin('shutdown', ticket.terminateGraceMs)) ? { kind: 'shutdown' } : cause",
    replace: 'return cause',
  },
  {
    name: 'start a card beside a worker that a restored store does not know',
    file: 'src/dispatcher/recovery/end-unknown-runs.ts',
    find: 'if (!runWatch.mayHaveUnknownRuns()) return NO_RUNS',
    replace: 'if (runWatch) return NO_RUNS',
  },
  {
    name: 'drop the observations between two passes',
    file: 'src/dispatcher/leadership/leadership.ts',
    find: 'new RunWatch(bootId, await store.dispatcherMemory(machine), {',
    replace: 'new RunWatch(bootId, null, {',
  },
  {
    name: 'close a run that is still starting',
    file: 'src/dispatcher/recovery/start-state.ts',
    find: "if (liveness !== null) return 'starting'",
    replace: '',
  },
  {
    name: 'claim again with a new run id after a lost answer',
    file: 'src/dispatcher/launch.ts',
    find: "store.decide({ verb: 'claim', board, actor: DISPATCHER_ACTOR, input })",
    replace: "store.decide({ verb: 'claim', board, actor: DISPATCHER_ACTOR, input: { ...input, runId: newRunId() } })",
  },
  {
    name: 'ignore the exit of a lost agent',
    file: 'src/dispatcher/recovery/lost-run-ending.ts',
    find: 'if (exit !== null && isOwnExit) return',
    replace: 'if (exit !== null && isOwnExit && run.board === "") return',
  },
  {
    name: 'work although the registration was refused',
    file: 'src/supervisor/guard.ts',
    find: 'const run = registered.ok ? await store.run(fence.runId) : null\n      return registered.ok && run !== null',
    replace: `const run = await store.run(fence.runId)
      return run !== null
        ? { ...claim, task, run, leaseMs: 120_000, guardedAt: performance.now(), nudgedAt } : run`,
  },
  {
    name: 'complete a card without its checks',
    file: 'src/supervisor/check-runner.ts',
    find: "if (task === null || checks.length === 0) return { kind: 'unneeded' }",
    replace: "if (task === null || checks.length < 10) return { kind: 'unneeded' }",
  },
  {
    name: 'measure the runtime with the wall clock',
    file: 'src/supervisor/alarm.ts',
    find: 'setAlarm(guardedAt + maxRuntimeMs - performance.now(), ring)',
    replace: 'setAlarm(run.startedAt + maxRuntimeMs - Date.now(), ring)',
  },
  {
    name: 'keep the exit file of a turn for the next one',
    file: 'src/runs/files/exit-file.ts',
    find: 'for (const file of [exit, cutOff, pid, verdict, toolsOwner])',
    replace: 'for (const file of [cutOff, pid, verdict, toolsOwner])',
  },
  {
    name: 'ask for a verdict 20 times',
    file: 'src/core/briefing/turns.ts',
    find: 'export const NUDGES = 2',
    replace: 'export const NUDGES = 20',
  },
  {
    name: 'begin a turn while processes of the last one are alive',
    file: 'src/supervisor/end-agent.ts',
    find: "await endGroup(owned, wrapper, 'leftovers')",
    replace: "if (owned.ticket.completesOnExit) await endGroup(owned, wrapper, 'leftovers')",
  },
  {
    name: 'complete a card with a goal without its judge',
    file: 'src/core/transitions/settlement/settle-context.ts',
    find: 'isChecked(context) && isGoalMet(context.task, context.run)',
    replace: 'isChecked(context)',
  },
  {
    name: 'begin turns beyond the limit of a goal',
    file: 'src/core/transitions/judge.ts',
    find: 'given.canContinue && judgement.turn < goal.maxTurns',
    replace: 'given.canContinue',
  },
]
