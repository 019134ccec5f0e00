/**
 * The fixed lists of values that the board uses. This file does not load the schema library, because commands that only
 * read run without it.
 */

export const STATUSES = [
  'triage',
  'todo',
  'scheduled',
  'ready',
  'running',
  'review',
  'blocked',
  'done',
  'archived',
] as const
export type Status = (typeof STATUSES)[number]

/** The statuses that a caller can choose for a new card. */
export const INITIAL_STATUSES = ['triage', 'blocked'] as const satisfies readonly Status[]
type InitialStatus = (typeof INITIAL_STATUSES)[number]

/** Turns the chosen status into the input of `create`, which has one boolean for each status. */
export const initialStatusInput = (chosen: unknown): Readonly<Record<InitialStatus, boolean>> => ({
  triage: chosen === 'triage',
  blocked: chosen === 'blocked',
})

/** Why a card is blocked. The board sets `breaker`, `budget` and `attempts`; people and agents set the others. */
export const BLOCK_KINDS = [
  'needs_input',
  'capability',
  'transient',
  'dependency',
  'review',
  'breaker',
  'budget',
  'attempts',
] as const
export type BlockKind = (typeof BLOCK_KINDS)[number]

/** The kinds of blocks that a worker or a person may choose. */
export const ASKED_BLOCK_KINDS = ['needs_input', 'capability', 'transient', 'dependency', 'review'] as const
export type AskedBlockKind = (typeof ASKED_BLOCK_KINDS)[number]

export const OUTCOMES = [
  'completed',
  'blocked',
  'review_requested',
  'changes_requested',
  'crashed',
  'timed_out',
  'stale',
  'reclaimed',
  'interrupted',
  'spawn_failed',
  'protocol_violation',
  'rate_limited',
  'checks_failed',
  'stopped',
  'gave_up',
] as const
export type Outcome = (typeof OUTCOMES)[number]

export const PHASES = ['work', 'review', 'check'] as const
export type Phase = (typeof PHASES)[number]

export const RUN_KINDS = ['agent', 'manual'] as const

export const WORKSPACE_KINDS = ['scratch', 'dir', 'worktree'] as const

/**
 * The states of a workspace. In the state `none`, Muster has not created the workspace yet. In the state `sweeping`,
 * Muster is removing the workspace, so link, reopen and claim are refused.
 */
export const WORKSPACE_STATES = ['none', 'live', 'sweeping', 'gone', 'kept'] as const

export const SLOT_KINDS = ['machine', 'board', 'agent', 'account'] as const

export const COOLDOWN_REASONS = ['retry', 'rate_limit'] as const

export const GUARD_REASONS = ['recent_success', 'active_pr'] as const
export type GuardReason = (typeof GUARD_REASONS)[number]

/** The permissions of an agent: the actions that it may take without approval. */
export const PERMISSIONS = ['read', 'edit', 'full', 'ask'] as const
export type Permissions = (typeof PERMISSIONS)[number]

/** The meaning of exit code 0: the card is complete, or the agent must still report a verdict. */
export const ON_EXIT = ['complete', 'verdict'] as const
export type OnExit = (typeof ON_EXIT)[number]

/** The role of an agent in a run: work on one card, review one card, or use the whole board. */
export type BoardRole = RunRole | 'orchestrator'

/**
 * The role of an agent that works on one card. A `member` belongs to a swarm and uses its blackboard; the `verifier` of
 * the swarm may also request changes.
 */
export type RunRole = 'worker' | 'reviewer' | 'member' | 'verifier'

export function runRole(phase: Phase, { swarmRole }: { readonly swarmRole: SwarmRole | null }): RunRole {
  if (phase === 'review') return 'reviewer'
  if (swarmRole === null) return 'worker'
  return swarmRole === 'verifier' ? 'verifier' : 'member'
}

/** The entry in an agent's tool list that means every tool of the board. */
export const WHOLE_BOARD = 'kanban'

export const boardRole = (
  tools: readonly string[],
  phase: Phase,
  card: { readonly swarmRole: SwarmRole | null },
): BoardRole => (tools.includes(WHOLE_BOARD) ? 'orchestrator' : runRole(phase, card))

/** Why a series creates no card at one of its times. */
export const SKIP_REASONS = ['still_running', 'board_paused', 'board_archived'] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** The judge of a goal: a language model, or the checks of the card alone. */
export const JUDGES = ['model', 'checks'] as const
export type JudgeKind = (typeof JUDGES)[number]

/** The picker of a tournament: a person, or the judge model. */
export const PICKERS = ['person', 'judge'] as const
export type Picker = (typeof PICKERS)[number]

/** The number of entries of a tournament. */
export const FEWEST_ENTRIES = 2
export const MOST_ENTRIES = 8

/** The number of turns that an agent may take towards a goal, if the card names no other number. */
export const DEFAULT_TURNS = 20
/** The highest limit on turns. Each turn costs money, and the run keeps the judgement of each turn. */
export const MOST_TURNS = 200

/** The answers of a judge. `unavailable` means that the judge could not be asked. */
export const JUDGE_ANSWERS = ['done', 'continue', 'impossible', 'unavailable'] as const
export type JudgeAnswer = (typeof JUDGE_ANSWERS)[number]

/** Why the board stops work towards a goal. The card is then blocked with this kind. */
export const GOAL_STOPS = ['budget', 'capability', 'transient', 'needs_input'] as const
export type GoalStop = (typeof GOAL_STOPS)[number]

/**
 * The effect of a mention of an agent in the comment of a person: offer a card for the agent, create it, or nothing.
 */
export const MENTION_MODES = ['offer', 'create', 'none'] as const

/** The roles of the cards of a swarm. */
export const SWARM_ROLES = ['root', 'worker', 'verifier', 'synthesizer'] as const
export type SwarmRole = (typeof SWARM_ROLES)[number]

/** The number of workers of a swarm. */
export const SWARM_WORKERS_MAX = 20
