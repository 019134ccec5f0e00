import type { Mutation } from './mutation.ts'

export const WORKERS_MUTATIONS: readonly Mutation[] = [
  {
    name: 'never give up a store that does not answer',
    file: 'src/supervisor/lease.ts',
    find: "if (store.engine !== 'postgres') return { renewed: () => {}, stop: () => {} }",
    replace: 'if (store.engine) return { renewed: () => {}, stop: () => {} }',
    tests: ['test/supervisor/lease.test.ts'],
    // The watchdog ends the agent at the same moment; only where it is gone as well does it matter.
    unseenBySimulator: true,
  },
  {
    name: 'take a reused pid for the same process',
    file: 'src/processes/identity.ts',
    find: ' && found.startTime === identity.startTime',
    replace: '',
    tests: ['test/processes/identity.test.ts'],
    // Pids come around too seldom there for a stranger to have that of a supervisor.
    unseenBySimulator: true,
  },
  {
    name: 'let OpenCode edit what it may only read',
    file: 'src/harnesses/opencode/rules.ts',
    find: "...rules(denied, 'deny'), ",
    replace: '',
    tests: ['test/harnesses'],
    unseenBySimulator: true,
  },
  {
    name: 'let Gemini CLI edit a file by its bare name',
    file: 'src/harnesses/gemini/policy.ts',
    find: "unwritable(['replace'], elsewhere,",
    replace: "unwritable(['replace'], `${elsewhere}/`,",
    tests: ['test/harnesses'],
    unseenBySimulator: true,
  },
  {
    name: 'open a workspace around the data folder',
    file: 'src/harnesses/readable-folders.ts',
    find: '[...folders].filter((folder) => isOutside(folder, home))',
    replace: '[...folders]',
    tests: ['test/harnesses'],
    unseenBySimulator: true,
  },
  {
    name: 'give a key to a program that ignores its gateway',
    file: 'src/supervisor/start-agent.ts',
    find: "return withoutKeys(allowed, withheldKeys(programNames(harness, args, env['PATH']), allowed))",
    replace: 'return allowed',
    tests: ['test/supervisor/start-agent.test.ts'],
    unseenBySimulator: true,
  },
  {
    name: 'leave the address of a gateway behind',
    file: 'src/processes/environment.ts',
    find: 'named.flatMap((name) => [name, ...addressesFor(name)])',
    replace: 'named',
    tests: ['test/processes/environment.test.ts'],
    unseenBySimulator: true,
  },
  {
    name: 'count the tokens of a session once per turn',
    file: 'src/harnesses/stream/usage-meter.ts',
    find: 'return now === null || isRestarted ? now : now - past(field)',
    replace: 'return now',
    tests: ['test/supervisor/turns/output-monitor.test.ts'],
    unseenBySimulator: true,
  },
  {
    name: 'leave no mark beside the exit status',
    file: 'src/runs/files/exit-file.ts',
    find: "writeFile(cutOff, '', { mode: 0o600, flush: true })",
    replace: 'Promise.resolve()',
    tests: ['test/supervisor/end-group.test.ts'],
    // It needs more coincidences than a few hundred seeds have.
    unseenBySimulator: true,
  },
]
