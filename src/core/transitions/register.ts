import { checkedByHand, countAt, idAt, lineAt, optionalTextAt, recordAt } from '../input/checked-by-hand.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import { isRunId, isTaskId } from '../ids.ts'
import type { Fence, Identity, Run } from '../run.ts'
import type { Task, Workspace } from '../task.ts'
import { ownedRun } from './owned-run.ts'

interface Registration {
  readonly task: Task['id']
  readonly fence: Fence
  readonly identity: Identity
  readonly logPath: string | null
  readonly socketPath: string | null
  readonly workspacePath: string | null
  /**
   * The name of the machine. Null means that only one machine uses the store. With several machines, the files of the
   * card stay on this machine.
   */
  readonly host: string | null
}

type Optional = 'logPath' | 'socketPath' | 'workspacePath' | 'host'
type Written = Omit<Registration, Optional> & { readonly [P in Optional]?: string | null | undefined }

type RawObject = Readonly<Record<string, unknown>>

const fenceIn = (given: RawObject): Fence => ({
  runId: idAt(given['runId'], ['fence', 'runId'], isRunId),
  tokenHash: lineAt(given['tokenHash'], ['fence', 'tokenHash']),
})

const identityIn = (given: RawObject): Identity => ({
  machine: lineAt(given['machine'], ['identity', 'machine']),
  bootId: lineAt(given['bootId'], ['identity', 'bootId']),
  pidNamespace: given['pidNamespace'] === null ? null : lineAt(given['pidNamespace'], ['identity', 'pidNamespace']),
  pid: countAt(given['pid'], ['identity', 'pid']),
  startTime: lineAt(given['startTime'], ['identity', 'startTime']),
})

/**
 * The first change that a supervisor sends. If the run no longer owns the card, the supervisor exits and no failure is
 * recorded.
 */
export const register = defineVerb({
  name: 'register',
  input: checkedByHand<Registration, Written>((given) => ({
    task: idAt(given['task'], ['task'], isTaskId),
    fence: fenceIn(recordAt(given['fence'], ['fence'])),
    identity: identityIn(recordAt(given['identity'], ['identity'])),
    logPath: optionalTextAt(given['logPath'], ['logPath']),
    socketPath: optionalTextAt(given['socketPath'], ['socketPath']),
    workspacePath: optionalTextAt(given['workspacePath'], ['workspacePath']),
    host: optionalTextAt(given['host'], ['host']),
  })),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, board, input, now }) => {
    const found = ownedRun(rows, input, { verb: 'register', content: null })
    if ('ok' in found) return { ...found, events: [] }
    const { task, run } = found
    if (run.registeredAt !== null)
      return sameProcess(run, input.identity)
        ? accept({ runId: run.id, leaseUntil: run.leaseUntil ?? 0, leaseMs: board.settings.leaseMs })
        : refuse('run_superseded', `Run ${run.id} already has a supervisor.`, { runId: run.id })
    const leaseUntil = now + board.settings.leaseMs
    const { identity, logPath, socketPath } = input
    return accept(
      { runId: run.id, leaseUntil, leaseMs: board.settings.leaseMs },
      {
        changes: [
          {
            op: 'update_run',
            taskId: task.id,
            patch: { identity, logPath, socketPath, registeredAt: now, leaseUntil, lastActivityAt: now },
          },
          { op: 'update_task', id: task.id, patch: { workspace: enteredWorkspace(task, run, input) } },
        ],
        events: [{ kind: 'spawned', taskId: task.id, runId: run.id, data: { pid: identity.pid } }],
      },
    )
  },
})

/**
 * The workspace of a card whose run has started. From now on, the files of the card are bound to the machine of the
 * run, except in a `dir` workspace.
 */
function enteredWorkspace({ workspace }: Task, { machine }: Run, { workspacePath, host }: Registration): Workspace {
  const path = workspacePath ?? workspace.path
  const isBound = workspace.kind !== 'dir' && host !== null && machine !== null
  return { ...workspace, path, state: 'live', machine: isBound ? machine : null, host: isBound ? host : null }
}

const sameProcess = (run: Run, identity: Run['identity']): boolean =>
  run.identity?.pid === identity?.pid &&
  run.identity?.startTime === identity?.startTime &&
  run.identity?.bootId === identity?.bootId
