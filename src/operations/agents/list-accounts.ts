import type { Account } from '../../core/account.ts'
import { isPaused } from '../../core/gates/admission.ts'
import type { Run } from '../../core/run.ts'
import { readRoster } from '../../agents/roster.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'

const schemas = ({ z, PAUSE_CAUSES, count, line, runId, text, time }: SchemaKit) => {
  const accountView = z.object({
    name: line,
    /** The agents of this machine that use the account. */
    agents: z.array(line).readonly(),
    running: count,
    /**
     * The state of the account. `trying` means that the wait for the quota is over, and one run tests the quota while
     * other cards wait.
     */
    state: z.enum(['open', 'paused', 'trying']),
    cause: z.enum(PAUSE_CAUSES).nullable(),
    by: line.nullable(),
    since: time.nullable(),
    /** The time at which the account is tried again. Null means that a person must resume the account. */
    until: time.nullable(),
    reason: text.nullable(),
    probeRunId: runId.nullable(),
  })
  return {
    input: z.object({}),
    output: z.array(accountView).readonly(),
  }
}

export type AccountView = OutputOf<typeof schemas>[number]

export const listAccounts = defineOperation({
  name: 'accounts list',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'List the accounts that agents use, with their pauses.',
  schemas,
  run: async ({ store, options }) => {
    const [{ agents }, accounts, open, now] = await Promise.all([
      readRoster(options.home),
      store.accounts(),
      store.openRuns(null),
      store.now(),
    ])
    const known = new Map(accounts.map((account) => [account.name, account]))
    const users = [...agents.values()].filter(({ account }) => account !== null)
    const running = open.filter(({ account }) => account !== null)
    const names = new Set([...[...users, ...running].map(({ account }) => account ?? ''), ...known.keys()])
    return [...names].toSorted().map((name): AccountView => ({
      name,
      agents: users.flatMap((agent) => (agent.account === name ? [agent.name] : [])).toSorted(),
      running: running.filter(({ account }) => account === name).length,
      ...pauseState(known.get(name), now, running),
    }))
  },
})

export type PauseState = Omit<AccountView, 'name' | 'agents' | 'running'>

const OPEN: PauseState = {
  state: 'open',
  cause: null,
  by: null,
  since: null,
  until: null,
  reason: null,
  probeRunId: null,
}

/** The state of an account. Only the end of a quota pause needs a test; a pause that a person set simply ends. */
export function pauseState(account: Account | undefined, now: number, running: readonly Pick<Run, 'id'>[]): PauseState {
  if (account === undefined || account.pauseCause === null) return OPEN
  const paused = isPaused(account, now)
  if (!paused && account.pauseCause !== 'quota') return OPEN
  return {
    state: paused ? 'paused' : 'trying',
    cause: account.pauseCause,
    by: account.pausedBy,
    since: account.updatedAt,
    until: account.pausedUntil,
    reason: account.pauseReason,
    // A test run that ended without a result does not count any more.
    probeRunId: running.find(({ id }) => id === account.probeRunId)?.id ?? null,
  }
}
