/** A probe that works for a while without meeting the limit has found its account open. */
import type { Board } from '../core/board.ts'
import { DEFAULT_SETTINGS } from '../core/board.ts'
import { DISPATCHER } from './actor.ts'
import type { Leading } from './dispatching.ts'

export async function reopenAccounts({ store, lead }: Leading, boards: readonly Board[]): Promise<void> {
  const probes = (await store.openRuns(lead.machine)).filter(({ probe }) => probe)
  if (probes.length === 0) return
  const now = await store.now()
  for (const { board, account, id, registeredAt } of probes) {
    const { probeMs } = boards.find(({ slug }) => slug === board)?.settings ?? DEFAULT_SETTINGS
    if (account === null || registeredAt === null || now - registeredAt < probeMs) continue
    const known = await store.account(account)
    if (known?.probeRunId !== id) continue
    await store.decide({ verb: 'resume_account', board, actor: DISPATCHER, input: { account, probeRunId: id } })
  }
}
