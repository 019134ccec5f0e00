/** Finds the reasons for a card of the model store, and tries each remedy of a reason on a copy of the store. */
import { agentToRun, possibleSelfReviewer } from '../../src/core/gates/admission.ts'
import { obstacle } from '../../src/core/reasons/reason.ts'
import type { Obstacle, Reason, Remedy } from '../../src/core/reasons/reason.ts'
import type { Task } from '../../src/core/task.ts'
import type { VerbName } from '../../src/core/transitions/index.ts'
import { whyNotRunning } from '../../src/core/reasons/why.ts'
import type { Situation } from '../../src/core/reasons/why.ts'
import { acceptsAnswer } from '../../src/core/status.ts'
import { pinnedBranch } from '../../src/core/gates/workspace-gates.ts'
import type { ModelStore } from '../helpers/model-store.ts'
import { NOON, commentOf, person, runOf, sampleBoard, sampleTask } from '../helpers/sample.ts'

export const situation = (task: Partial<Task> = {}, rest: Partial<Situation> = {}): Situation => ({
  task: sampleTask({ assignee: 'coder', ...task }),
  board: sampleBoard(),
  now: NOON,
  openParents: [],
  slots: [],
  account: null,
  openRuns: { machine: 0, board: 0, agent: 0, account: 0 },
  caps: { machine: null, agent: null, account: null },
  directoryUser: null,
  branchHolders: [],
  machine: null,
  reviewerIsAuthor: false,
  parentSweeping: false,
  run: null,
  localObstacles: [],
  isDispatched: true,
  ...rest,
})

/** Returns the reasons for a card as a machine would find them. */
export function reasonsIn(
  store: ModelStore,
  task: Task,
  now: number,
  machine: string | null = null,
): readonly Reason[] {
  const board = store.board(task.board)
  if (board === null) throw new Error('a card without a board')
  const openParents = store.openParents(task.id).flatMap((id) => store.task(id) ?? [])
  const { slots, accounts } = store.state()
  const entries = task.tournament?.entries.flatMap((id) => store.task(id) ?? [])
  return whyNotRunning({
    ...situation(),
    task,
    board,
    now,
    openParents,
    ...(entries === undefined ? {} : { entries }),
    slots,
    machine,
    account: accounts[0] ?? null,
    run: store.openRun(task.id),
    branchHolders: store.branchHolders(task),
    verification: store.verification(task.id),
    parentSweeping: store.hasSweepingParent(task.id),
    localObstacles: machine === null ? [] : foundHere(task),
    isDispatched: now % 2 === 0,
  })
}

const BESIDE = { agent: 'coder', program: 'opencode' }

/** Returns every obstacle that a machine can find outside the store. */
function foundHere(task: Task): readonly Obstacle[] {
  const isReview = task.status === 'review' || task.resumeStatus === 'review'
  const role = isReview ? 'reviewer' : task.assignee === null ? 'default_assignee' : 'assignee'
  const branch = pinnedBranch(task)?.branch
  return [
    obstacle('agent_unknown', { agent: 'coder', role }),
    obstacle('agent_unapproved', { agent: 'coder', role, folder: '/repo' }),
    obstacle('outside_hours', { of: 'board', name: task.board, hours: '22:00-07:00', at: null }),
    obstacle('body_missing', { agent: 'shell' }),
    obstacle('body_too_long', { agent: 'shell' }),
    obstacle('skills_missing', { agent: 'coder', unknown: ['reading'], broken: [], file: '/s', from: 'card' }),
    obstacle('model_without_provider', { ...BESIDE, model: 'big', from: 'card' }),
    obstacle('goal_unsupported', { agent: 'coder' }),
    obstacle('effort_unknown', { ...BESIDE, effort: 'much', known: ['low'], from: 'card' }),
    ...(branch === undefined || task.workspace.base !== null
      ? []
      : [
          obstacle('branch_checked_out', { branch, folder: '/src' }),
          obstacle('branch_clash', { branch, other: `${branch}/2` }),
        ]),
  ]
}

/** Describes a remedy by its operation, the names of its input, and the fields that a person chooses. */
export const kindOf = ({ operation, input, asks }: Remedy): string =>
  [operation, ...Object.keys(input).filter((name) => name !== 'task'), ...asks.map((field) => `${field}?`)].join(' ')

export const REMEDY_KINDS: readonly string[] = [
  'agents approve folder',
  'answer text?',
  'approve',
  'approve-commands',
  'assign assignee?',
  'boards set slug activeHours?',
  'boards set slug defaultAssignee?',
  'boards unarchive slug',
  'complete',
  'edit base?',
  'edit body?',
  'edit branch?',
  'edit effort?',
  'edit freshWorkspace',
  'edit model?',
  'edit reviewer?',
  'edit skills?',
  'edit workspace?',
  'gc discard apply',
  'pick entry?',
  'promote',
  'promote force',
  'promote reason?',
  'reclaim',
  'release',
  'reopen',
  'request-changes reason?',
  'resume kind name',
  'stop',
  'unarchive',
  'unblock',
  'unblock reason?',
  'unblock reset',
  'undelete',
  'up',
]

/** Returns the fields that a person reads before the approval of the commands of a card. */
function shownIn(store: ModelStore, task: Task): object {
  const board = store.board(task.board)
  if (board === null) throw new Error('a card without a board')
  const { body, checks, assignee, reviewer } = task
  const { kind, path, repo } = task.workspace
  const agent = agentToRun(task, board, store.workedOn(possibleSelfReviewer(task, board), task.id))
  return { body, checks, assignee, reviewer, workspace: { kind, path, repo }, agent }
}

/** A request to core. Its input is not typed, because each verb checks its own input. */
interface Asked {
  readonly verb: VerbName
  readonly input: object
  /** The board of the card that the command changes. */
  readonly board?: string
}

/** A value that a person might choose for each field. */
const CHOICES: Readonly<Record<string, unknown>> = {
  assignee: 'writer',
  reviewer: 'writer',
  reason: 'port 8080',
  body: 'echo hello',
  skills: ['writing'],
  model: 'acme/big',
  effort: 'low',
  branch: 'another',
  base: 'origin/main',
  workspace: { kind: 'worktree', repo: '/srv/other' },
}

const choicesFor = (asks: readonly string[]): object =>
  Object.fromEntries(
    asks.map((field) => {
      if (!(field in CHOICES)) throw new Error(`there is no choice for ${field}`)
      return [field, CHOICES[field]]
    }),
  )

/** Returns the command of core for an operation. Null means that core has no such command. */
function commandFor(
  store: ModelStore,
  task: Task,
  { operation, input, asks }: Remedy,
  machine: string | null,
): Asked | null {
  const runId = runOf('remedy')
  switch (operation) {
    case 'up':
    case 'agents approve':
      return null
    case 'approve-commands':
      return { verb: 'approve_commands', input: { task: task.id, shown: shownIn(store, task), hash: 'h' } }
    case 'boards unarchive':
      return { verb: 'set_board', input: { archived: false } }
    case 'boards set':
      return {
        verb: 'set_board',
        input: { settings: asks.includes('activeHours') ? { activeHours: null } : { defaultAssignee: 'writer' } },
      }
    case 'edit': {
      const freshFrom = input['freshWorkspace'] === true ? machine : null
      return { verb: 'edit', input: { task: task.id, set: choicesFor(asks), freshFrom } }
    }
    case 'gc': {
      const discarded = store.state().tasks.find(({ id }) => id === input['discard'])
      if (discarded === undefined) throw new Error('there is no such card')
      return {
        verb: 'sweep',
        input: { task: discarded.id, stage: 'begin', again: true },
        board: discarded.board,
      }
    }
    case 'resume':
      return input['kind'] === 'account'
        ? { verb: 'resume_account', input: { account: String(input['name']) } }
        : { verb: 'resume', input }
    case 'approve':
    case 'complete': {
      // A trial without a machine assumes that the person runs the command on the machine that has the files.
      const checker = { tokenHash: 'checker', machine: machine ?? task.workspace.machine ?? 'laptop' }
      return { verb: operation, input: { task: task.id, runId, checker } }
    }
    case 'request-changes':
      return { verb: 'request_changes', input: { task: task.id, runId, ...choicesFor(asks) } }
    case 'answer':
      // The guard of the operation is applied here, because core does not repeat it.
      return acceptsAnswer(task)
        ? { verb: 'unblock', input: { ...input, answer: { id: commentOf('remedy'), text: 'port 8080' } } }
        : { verb: 'unblock', input: { task: 'no question' } }
    case 'pick': {
      const entries = task.tournament?.entries ?? []
      const hasFinished = (id: Task['id']) => {
        const found = store.task(id)
        return found?.status === 'done' && found.deletedAt === null
      }
      const entry = entries.find(hasFinished) ?? entries[0]
      return { verb: 'pick', input: { ...input, entry, entries, runId } }
    }
    case 'promote':
    case 'unblock': {
      const answer = asks.includes('reason') ? { id: commentOf('remedy'), text: 'port 8080' } : null
      return { verb: operation, input: { ...input, answer } }
    }
    default:
      return { verb: operation, input: { ...input, ...choicesFor(asks) } }
  }
}

/** Runs each remedy on its own copy of the store, as a person. Returns the remedies that core refuses. */
export const refusalsOf = (
  store: ModelStore,
  task: Task,
  remedies: readonly Remedy[],
  machine: string | null = null,
): string[] =>
  remedies.flatMap((remedy) => {
    const command = commandFor(store, task, remedy, machine)
    const outcome = command && store.fork().decide({ board: task.board, ...command, actor: person })
    return outcome === null || outcome.ok
      ? []
      : [`${kindOf(remedy)} of a ${task.status} card: ${outcome.error.message}`]
  })
