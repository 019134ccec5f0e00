import { LANDING } from './mutation.ts'
import type { Mutation } from './mutation.ts'

export const WORKSPACES_MUTATIONS: readonly Mutation[] = [
  {
    name: 'let git enter submodules',
    file: 'src/workspaces/git/git.ts',
    find: "[command, '--ignore-submodules=dirty', ...rest]",
    replace: '[command, ...rest]',
    tests: ['test/workspaces/git-tricks.test.ts'],
    // The simulator has no git.
    unseenBySimulator: true,
  },
  {
    name: 'land on a branch that has moved',
    file: 'src/workspaces/landing/land-branch.ts',
    find: '`refs/heads/${into}`, to, from)',
    replace: '`refs/heads/${into}`, to)',
    tests: LANDING,
    unseenBySimulator: true,
  },
  {
    name: 'merge landed work again',
    file: 'src/workspaces/landing/landing-commit.ts',
    find: 'if (landedTip === null ||',
    replace: 'if (landedTip !== null ||',
    tests: LANDING,
    unseenBySimulator: true,
  },
  {
    name: 'leave the index of a checkout unlocked',
    file: 'src/workspaces/git/index-lock.ts',
    find: '  await lock.take()\n  return lock',
    replace: '  return lock',
    tests: LANDING,
    unseenBySimulator: true,
  },
  {
    name: 'remove an index lock of the user',
    file: 'src/workspaces/git/index-lock.ts',
    find: 'if (await isOwn(lock)) await rm',
    replace: 'await rm',
    tests: ['test/workspaces/git/index-lock.test.ts'],
    unseenBySimulator: true,
  },
  {
    name: 'take an old lock of a live process',
    file: 'src/workspaces/git/repository-lock.ts',
    find: "(state === 'unseen' && isOld)",
    replace: 'isOld',
    tests: ['test/workspaces/git/repository-lock.test.ts'],
    unseenBySimulator: true,
  },
  {
    name: 'give the copy of an index a new modification time',
    file: 'src/workspaces/git/copy-index.ts',
    find: '  await utimes(path, second, second)',
    replace: '',
    tests: LANDING,
    unseenBySimulator: true,
  },
  {
    name: 'land during a rebase of the target',
    file: 'src/workspaces/landing/target-checkout.ts',
    find: "if (rebased.includes(`refs/heads/${branch}`)) throw underWay(place, 'rebase')",
    replace: '',
    tests: LANDING,
    unseenBySimulator: true,
  },
]
