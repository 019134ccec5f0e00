/** Runs one claim and one settlement, as a dispatcher and a supervisor do. */
import { unwrap } from '../../src/core/command.ts'
import type { RunId, TaskId } from '../../src/core/ids.ts'
import type { Store } from '../../src/storage/store.ts'
import { hashToken, newRunId } from '../../src/util/mint.ts'
import { BOARD } from '../../test/helpers/places.ts'
import { decide } from '../../test/helpers/proofs/proof.ts'
import { leadMachine } from '../../test/helpers/proofs/lead.ts'
import type { Lead } from '../../test/helpers/proofs/lead.ts'

export const AGENT = 'coder'
const actor = { kind: 'board', name: 'dispatcher' } as const

export interface Caller {
  readonly store: Store
  readonly leads: Lead
}

/** Creates the board if needed, and becomes the dispatcher of a machine. */
export async function lead(store: Store): Promise<Caller> {
  await decide(store, 'create_board', { slug: BOARD })
  return { store, leads: await leadMachine(store, 'machine') }
}

const tokenHash = hashToken('token')
/** The cap of the machine; no bench has more callers. */
const MOST_CALLERS = 32

/** The input of a cycle. Its ids are created before the measurement. */
export interface Work {
  readonly task: TaskId
  readonly runId: RunId
}

export const workOn = (task: TaskId): Work => ({ task, runId: newRunId() })

export async function cycle({ store, leads }: Caller, { task, runId }: Work): Promise<void> {
  const claim = {
    task,
    runId,
    tokenHash,
    agent: AGENT,
    machine: leads.machine,
    dispatcher: leads.identity,
    dispatcherTokenHash: leads.tokenHash,
    caps: { machine: MOST_CALLERS, agent: null, account: null },
  }
  unwrap(await store.decide({ verb: 'claim', board: BOARD, actor, input: claim }))
  const settle = {
    task,
    runId,
    by: { fence: { runId, tokenHash } },
    ending: { how: 'exited', exitCode: 0 },
    verdict: { kind: 'complete', summary: 'Done.' },
  } as const
  unwrap(await store.decide({ verb: 'settle', board: BOARD, actor, input: settle }))
}
