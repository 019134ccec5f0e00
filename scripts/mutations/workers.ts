import type { Mutation } from './mutation.ts'

export const WORKERS_MUTATIONS: readonly Mutation[] = [
  {
    name: 'wait forever for a store that does not answer',
    file: 'src/supervisor/lease.ts',
    find: "if (store.engine !== 'postgres') return { renewed: () => {}, stop: () => {} }",
    replace: 'if (store.engine) return { renewed: () => {}, stop: () => {} }',
    tests: ['test/supervisor/lease.test.ts'],
    // The watchdog ends the agent at the same time, so the bug has an effect only without a watchdog.
    unseenBySimulator: true,
  },
  {
    name: 'treat a reused pid as the same process',
    file: 'src/processes/identity.ts',
    find: ' && found.startTime === identity.startTime',
    replace: '',
    tests: ['test/processes/identity.test.ts'],
    // In the simulator, an unrelated process rarely gets the pid of a supervisor.
    unseenBySimulator: true,
  },
  {
    name: 'let OpenCode edit files that it may only read',
    file: 'src/harnesses/opencode/rules.ts',
    find: "...rules(denied, 'deny'), ",
    replace: '',
    tests: ['test/harnesses'],
    unseenBySimulator: true,
  },
  {
    name: 'let Gemini CLI edit a file by its bare name',
    file: 'src/harnesses/gemini/policy.ts',
    find: "denyWrite(['replace'], elsewhere,",
    replace: "denyWrite(['replace'], `${elsewhere}/`,",
    tests: ['test/harnesses'],
    unseenBySimulator: true,
  },
  {
    name: "let an agent read the data folder through a parent's workspace",
    file: 'src/harnesses/readable-folders.ts',
    find: '[...folders].filter((folder) => isOutside(folder, home))',
    replace: '[...folders]',
    tests: ['test/harnesses'],
    unseenBySimulator: true,
  },
  {
    name: 'give an API key to a program that ignores the gateway',
    file: 'src/supervisor/start-agent.ts',
    find: "withoutKeys(allowed, withheldKeys(programNames(harness, args, env['PATH']), allowed))",
    replace: 'allowed',
    tests: ['test/supervisor/start-agent.test.ts'],
    unseenBySimulator: true,
  },
  {
    name: 'pass a key without the address of its gateway',
    file: 'src/processes/environment.ts',
    find: 'named.flatMap((name) => [name, ...addressesFor(name)])',
    replace: 'named',
    tests: ['test/processes/environment.test.ts'],
    unseenBySimulator: true,
  },
  {
    name: 'count the tokens of a session again in every turn',
    file: 'src/harnesses/stream/usage-meter.ts',
    find: 'return now === null || isRestarted ? now : now - past(field)',
    replace: 'return now',
    tests: ['test/supervisor/turns/output-monitor.test.ts'],
    unseenBySimulator: true,
  },
  {
    name: 'write no mark before the agent is ended',
    file: 'src/runs/files/exit-file.ts',
    find: "writeFile(cutOff, '', { mode: 0o600, flush: true })",
    replace: 'Promise.resolve()',
    tests: ['test/supervisor/end-group.test.ts'],
    // The bug needs several rare events at once, which a few hundred seeds do not have.
    unseenBySimulator: true,
  },
]
