import { isSlotPaused } from '../../core/gates/admission.ts'
import { isFailure } from '../../core/limits/retry.ts'
import type { Slot } from '../../core/slot.ts'
import { OUTCOMES } from '../../core/vocabulary.ts'
import type { Outcome } from '../../core/vocabulary.ts'
import { readRoster } from '../../agents/roster.ts'
import type { AgentUsage, RunEnding, Store } from '../../storage/store.ts'
import { MOST_WAITING, countByAgent, viewAgents } from './agent-view.ts'
import { cliNamed } from '../../harnesses/detect/clis.ts'
import { cliBehind } from './check-acp-agent.ts'
import { pauseState } from './list-accounts.ts'
import type { AgentView } from './views.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'

const WEEK_MS = 7 * 24 * 3_600_000
/** The maximum number of runs of a week to count, which bounds the cost. */
const RUNS = 20_000

const schemas = ({ z, PAUSE_CAUSES, agentView, count, line, text, time }: SchemaKit) => {
  const pause = { by: line.nullable(), since: time.nullable(), until: time.nullable(), reason: text.nullable() }
  const member = agentView.extend({
    /** The CLI that the agent runs. Null means that the agent runs no CLI that people install. */
    cli: z
      .object({
        title: line,
        /** The command that installs the CLI, or a sentence that explains how to install it. */
        install: line,
        /** The command that logs in. */
        logIn: line,
      })
      .nullable(),
    /** The open runs of the agent on all machines. */
    running: count,
    /** Whether `waiting` is the exact number. */
    isWaitingExact: z.boolean(),
    /** The pause of the agent itself. `until` is null if a person must end it. */
    pause: z.object(pause).nullable(),
    /** The account of the agent. Null means that the agent has no account. */
    quota: z
      .object({
        account: line,
        state: z.enum(['open', 'paused', 'trying']),
        cause: z.enum(PAUSE_CAUSES).nullable(),
        ...pause,
      })
      .nullable(),
    /** The runs that ended in the last 7 days. */
    week: z.object({
      runs: count,
      /** The runs that ended with a result or a review. */
      succeeded: count,
      /** The runs that failed by the agent's own fault. */
      failed: count,
      /** The share of succeeded runs among all runs that succeeded or failed. Null means that there were none. */
      successRate: z.number().min(0).max(1).nullable(),
      outcomes: z.partialRecord(z.enum(OUTCOMES), count),
      /** The cost in US dollars. The value is zero if the agent reports no usage. */
      costUsd: z.number(),
      inputTokens: count,
      outputTokens: count,
    }),
  })
  return {
    input: z.object({}),
    output: z.object({ now: time, since: time, agents: z.array(member).readonly() }),
  }
}

type RosterView = OutputOf<typeof schemas>
type Member = RosterView['agents'][number]

export const showRoster = defineOperation({
  name: 'roster',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'Show each agent with its runs, its pauses, and its success rate and cost of the last 7 days.',
  schemas,
  run: async ({ store, options: { home } }) => {
    const [roster, shared, waiting] = await Promise.all([readRoster(home), store.sharedFacts(), countByAgent(store)])
    const since = shared.now - WEEK_MS
    const [views, endings, used] = await Promise.all([
      viewAgents(home, roster, waiting),
      store.runEndings(since, RUNS),
      usageOnAll(store, shared.boards, since),
    ])
    const runs = shared.openRuns.filter(({ kind }) => kind === 'agent')
    const agents = views.map((view): Member => {
      const account = shared.accounts.find(({ name }) => name === view.account)
      const { probeRunId: _probe, ...state } = pauseState(account, shared.now, runs)
      return {
        ...view,
        cli: cliOf(view),
        running: runs.filter(({ agent }) => agent === view.name).length,
        isWaitingExact: view.waiting < MOST_WAITING,
        pause: pauseOf(
          shared.slots.find(({ kind, name }) => kind === 'agent' && name === view.name),
          shared.now,
        ),
        quota: view.account === null ? null : { account: view.account, ...state },
        week: weekOf(
          endings.filter(({ agent }) => agent === view.name),
          used.filter(({ agent }) => agent === view.name),
        ),
      }
    })
    return { now: shared.now, since, agents }
  },
})

function cliOf(view: AgentView): Member['cli'] {
  const cli = cliNamed(cliBehind(view) ?? view.harness)
  return cli === null ? null : { title: cli.title, install: cli.install, logIn: cli.logIn }
}

async function usageOnAll(
  store: Pick<Store, 'usage'>,
  boards: readonly { readonly slug: string }[],
  since: number,
): Promise<readonly AgentUsage[]> {
  const found = await Promise.all(boards.map(({ slug }) => store.usage(slug, { days: [since], most: RUNS })))
  return found.flat()
}

function pauseOf(slot: Slot | undefined, now: number): Member['pause'] {
  if (slot === undefined || !isSlotPaused(slot, now)) return null
  const { pausedBy: by, pausedAt: since, pausedUntil: until, pauseReason: reason } = slot
  return { by, since, until, reason }
}

/**
 * The outcomes that count as success. A run that asked a question, was stopped or lost its machine is neither a success
 * nor a failure.
 */
const SUCCESSES: readonly Outcome[] = ['completed', 'review_requested', 'changes_requested']

function weekOf(endings: readonly RunEnding[], used: readonly AgentUsage[]): Member['week'] {
  const count = (counts: (outcome: Outcome) => boolean): number =>
    endings.reduce((sum, { outcome, runs }) => sum + (counts(outcome) ? runs : 0), 0)
  const succeeded = count((outcome) => SUCCESSES.includes(outcome))
  const failed = count(isFailure)
  const sum = (key: 'costUsd' | 'inputTokens' | 'outputTokens'): number => used.reduce((all, row) => all + row[key], 0)
  return {
    runs: count(() => true),
    succeeded,
    failed,
    successRate: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
    outcomes: Object.fromEntries(endings.map(({ outcome, runs }) => [outcome, runs])),
    costUsd: sum('costUsd'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
  }
}
