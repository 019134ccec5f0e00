import type { Account } from '../../core/account.ts'
import { isPaused } from '../../core/gates/admission.ts'
import type { Run } from '../../core/run.ts'
import { readRoster } from '../../agents/roster.ts'
import type { AccountView } from './list-accounts.schema.ts'
import { defineOperation } from '../shared/operation.ts'

export const listAccounts = defineOperation({
  name: 'accounts list',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'List whose quota agents spend, and which of them are used up until when.',
  schemas: () => import('./list-accounts.schema.ts'),
  run: async ({ store, options }) => {
    const [{ agents }, accounts, open, now] = await Promise.all([
      readRoster(options.home),
      store.accounts(),
      store.openRuns(null),
      store.now(),
    ])
    const known = new Map(accounts.map((account) => [account.name, account]))
    const spenders = [...agents.values()].filter(({ account }) => account !== null)
    const running = open.filter(({ account }) => account !== null)
    const names = new Set([...[...spenders, ...running].map(({ account }) => account ?? ''), ...known.keys()])
    return [...names].toSorted().map((name): AccountView => ({
      name,
      agents: spenders.flatMap((agent) => (agent.account === name ? [agent.name] : [])).toSorted(),
      running: running.filter(({ account }) => account === name).length,
      ...standing(known.get(name), now, running),
    }))
  },
})

type Standing = Omit<AccountView, 'name' | 'agents' | 'running'>

const OPEN: Standing = {
  state: 'open',
  cause: null,
  by: null,
  since: null,
  until: null,
  reason: null,
  probeRunId: null,
}

/** A person's pause that is over by itself leaves nothing to find out; the wait for a quota does. */
function standing(account: Account | undefined, now: number, running: readonly Pick<Run, 'id'>[]): Standing {
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
    // One that is over and told nothing tries nothing any more.
    probeRunId: running.find(({ id }) => id === account.probeRunId)?.id ?? null,
  }
}
