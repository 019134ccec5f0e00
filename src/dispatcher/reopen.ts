/** A probe that works for a while without meeting the limit has found its account open. */
import { dirname } from 'node:path'
import type { Board } from '../core/board.ts'
import { DEFAULT_SETTINGS } from '../core/board.ts'
import type { Run } from '../core/run.ts'
import { harnessNamed } from '../workers/harnesses/index.ts'
import { runDirectoryAt } from '../workers/run-directory.ts'
import { hearLog } from '../workers/stream/hear-log.ts'
import { waitsNow } from '../workers/stream/heard.ts'
import { readTicket } from '../workers/ticket.ts'
import { DISPATCHER } from './actor.ts'
import type { Leading } from './dispatching.ts'

export async function reopenAccounts({ store, lead }: Leading, boards: readonly Board[]): Promise<void> {
  const probes = (await store.openRuns(lead.machine)).filter(({ probe }) => probe)
  if (probes.length === 0) return
  const now = await store.now()
  for (const run of probes) {
    const { board, account, id, registeredAt } = run
    const { probeMs } = boards.find(({ slug }) => slug === board)?.settings ?? DEFAULT_SETTINGS
    if (account === null || registeredAt === null || now - registeredAt < probeMs) continue
    const known = await store.account(account)
    if (known?.probeRunId !== id || (await isHindered(run))) continue
    await store.decide({ verb: 'resume_account', board, actor: DISPATCHER, input: { account, probeRunId: id } })
  }
}

/**
 * Whether it met the limit and tries to outwait it, as its log tells: it is silent then, too, and has found nothing open.
 * Its supervisor gives it some time for that. An answer reopens the account at once, so no long log is read here.
 */
async function isHindered({ logPath }: Run): Promise<boolean> {
  const directory = logPath === null ? null : runDirectoryAt(dirname(logPath))
  const harness = directory === null ? null : (readTicket(directory)?.harness ?? null)
  const readLine = harness === null ? null : (harnessNamed(harness)?.readLine ?? null)
  if (directory === null || readLine === null) return false
  const heard = await hearLog(directory.log, readLine)
  return (heard.failure ?? waitsNow(heard)) !== null
}
