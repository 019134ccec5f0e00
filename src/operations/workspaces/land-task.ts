import { STRATEGIES } from '../../workspaces/landing/landing-commit.ts'
import { opensGates } from '../../core/actor.ts'
import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import { accepts, isRunning } from '../../core/status.ts'
import type { Store, TaskView } from '../../storage/store.ts'
import { strayBranch, submoduleFault, uncommittedFiles } from '../../workspaces/git/worktree-changes.ts'
import { landBranch, LANDINGS } from '../../workspaces/landing/land-branch.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'
import { reportingFaults, requireWorkHere, worktreeCard } from './worktree-card.ts'
import type { WorktreeCard } from './worktree-card.ts'
import { shellWord } from '../../util/shell-word.ts'

/**
 * The default strategy. One commit per card keeps the history readable, because an agent's own commits are only steps.
 */
const DEFAULT_STRATEGY = 'squash'

const schemas = ({ z, line, taskId, cardRef }: SchemaKit) => {
  const strategy = z.enum(STRATEGIES)
  return {
    input: z.object({
      task: cardRef,
      strategy: strategy.nullable().default(null).describe('How to add the commits of the card to the branch'),
      into: line
        .nullable()
        .default(null)
        .describe('The branch to land on; default: the branch that the worktree started from'),
    }),
    output: z.object({
      id: taskId,
      commit: z.string(),
      into: z.string(),
      branch: z.string(),
      strategy,
      /** Whether the branch got a commit, already had the work, or the card has no changes. */
      outcome: z.enum(LANDINGS),
    }),
  }
}

export type LandedCard = OutputOf<typeof schemas>

export const landTask = defineOperation({
  name: 'land',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'card',
  summary: 'Land (merge) the finished work of a worktree card on a branch of its repository.',
  schemas,
  run: async ({ store, actor, options: { home } }, { task: typed, strategy: asked, into: branch }) => {
    const card = await worktreeCard(store, home, typed)
    const { task, repo } = card
    if (!opensGates(actor)) throw new BoardError('not_allowed', `Only a person or an orchestrator may land ${task.id}.`)
    requireFinished(task)
    await requireWorkHere({ store, home, command: 'land' }, card)
    const into = branch ?? task.workspace.baseBranch
    if (into === null)
      throw new BoardError(
        'land_refused',
        `The worktree of ${task.id} did not start from a branch. Name one with --into.`,
      )
    await requireIdleBranch(store, task, into)
    const strategy = asked ?? DEFAULT_STRATEGY
    const { commit, tip, outcome } = await reportingFaults('land_refused', repo, async () => {
      await requireCommitted(home, card)
      await requireOnBranch(home, card)
      await requirePushed(home, card)
      const message = `${task.title}\n\nMuster-Card: ${task.id}\n`
      const { base } = task.workspace
      return landBranch({ home, card: task.id, repo, branch: card.branch, base, into, strategy, message })
    })
    const input = { task: task.id, commit, tip, into, strategy, owner: task.workspace.owner }
    unwrap(await store.decide({ verb: 'land', board: task.board, actor, input }))
    return { id: task.id, commit, into, branch: card.branch, strategy, outcome }
  },
})

function requireFinished({ id, status }: TaskView): void {
  if (accepts(status, 'land')) return
  throw new BoardError(
    'wrong_status',
    `Card ${id} is ${status}. Only a card that is done, in review or archived can land.`,
    {
      details: { id, status },
    },
  )
}

/** Throws an error if a running card uses the branch. Landing would change files while its agent works on them. */
async function requireIdleBranch(store: Store, task: TaskView, into: string): Promise<void> {
  const onBranch = { ...task, branch: into }
  const { branchHolders } = await store.admissionFacts(onBranch, { machine: null, agent: null, account: null })
  const user = branchHolders.find(({ id, status, deleted }) => id !== task.id && isRunning(status) && !deleted)
  if (user === undefined) return
  throw new BoardError(
    'land_refused',
    `Card ${user.id} is running on branch ${into}. Land ${task.id} when that run has ended, or stop it: muster stop ${user.id}.`,
    { details: { id: task.id, branch: into, runningCard: user.id } },
  )
}

async function requireCommitted(home: string, { task, repo, path }: WorktreeCard): Promise<void> {
  const files = await uncommittedFiles(home, path, repo)
  if (files.length === 0) return
  const listed = `${files[0]}${files.length === 1 ? '' : ` and ${files.length - 1} more`}`
  throw new BoardError(
    'land_refused',
    `${path} has uncommitted files: ${listed}. Commit or remove them, then run muster land ${task.id} again.`,
    { details: { files } },
  )
}

async function requireOnBranch(home: string, card: WorktreeCard): Promise<void> {
  const { task, path, branch } = card
  const head = await strayBranch(home, card)
  if (head === null) return
  throw new BoardError(
    'land_refused',
    `${path} is on ${head}, with commits that ${branch} lacks. Merge them into ${branch}, or drop them with git switch ${shellWord(branch)} in that folder. Then run muster land ${task.id} again.`,
    { details: { head } },
  )
}

/**
 * Throws an error if a submodule has commits that were not pushed. Only this worktree has such commits, so no other
 * checkout could use the branch.
 */
async function requirePushed(home: string, { task, repo, path }: WorktreeCard): Promise<void> {
  const fault = await submoduleFault(home, path, repo)
  if (fault !== null) throw new BoardError('land_refused', `${fault} in ${path}, then land ${task.id} again.`)
}
