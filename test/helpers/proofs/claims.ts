import type { Actor } from '../../../src/core/actor.ts'
import type { Command } from '../../../src/core/command.ts'
import type { TaskId } from '../../../src/core/ids.ts'
import type { StoreLocation } from '../../../src/storage/location.ts'
import type { Store } from '../../../src/storage/store.ts'
import { hashToken, newRunId, newToken } from '../../../src/util/mint.ts'
import { withWorkers } from '../processes.ts'
import type { StoreWorker } from '../processes.ts'
import { leadMachine } from './lead.ts'
import type { Lead } from './lead.ts'
import { command, countBy, createCards, decide, examined, unless } from './proof.ts'
import type { Proof } from './proof.ts'

const AGENT = 'coder'
const dispatcher: Actor = { kind: 'board', name: 'dispatcher' }

type Caps = { readonly [kind in 'machine' | 'agent' | 'account']: number | null }
const NO_CAPS: Caps = { machine: null, agent: null, account: null }

const claimOf = (task: TaskId, lead: Lead, caps = NO_CAPS): Command<'claim'> =>
  command(
    'claim',
    {
      task,
      runId: newRunId(),
      tokenHash: hashToken(newToken()),
      agent: AGENT,
      machine: lead.machine,
      dispatcher: lead.identity,
      dispatcherTokenHash: lead.tokenHash,
      caps,
    },
    dispatcher,
  )

const settleOf = (claim: Command<'claim'>): Command<'settle'> => {
  const { task, runId, tokenHash } = claim.input
  const ending = { how: 'exited', exitCode: 0 } as const
  const verdict = { kind: 'complete', summary: 'Done.' } as const
  return command('settle', { task, runId, by: { fence: { runId, tokenHash } }, ending, verdict }, dispatcher)
}

interface Attempt {
  readonly claim: Command<'claim'>
  readonly worker: StoreWorker
}

/** Sends all claims at once. Returns the winner and the refusals of all other claims. */
async function race(attempts: readonly Attempt[]): Promise<{ won: Attempt[]; answerCounts: Record<string, number> }> {
  const answers = await Promise.all(
    attempts.map(async (attempt) => ({
      attempt,
      answer: await attempt.worker.run('decide', { command: attempt.claim }),
    })),
  )
  return {
    won: answers.filter(({ answer }) => answer.ok).map(({ attempt }) => attempt),
    answerCounts: countBy(answers, ({ answer }) => (answer.ok ? 'won' : answer.code)),
  }
}

const addUp = (total: Record<string, number>, more: Record<string, number>): void => {
  for (const [key, count] of Object.entries(more)) total[key] = (total[key] ?? 0) + count
}

/** Dispatchers of several machines claim one card at once. One claim wins, and all other claims are refused. */
export async function proveClaims(
  location: StoreLocation,
  store: Store,
  { processes, rounds }: { processes: number; rounds: number },
): Promise<Proof> {
  const faults: string[] = []
  const total: Record<string, number> = {}
  const leads = await Promise.all(Array.from({ length: processes }, (_, at) => leadMachine(store, `machine-${at}`)))
  await withWorkers(location, processes, async (workers) => {
    for (const task of await createCards(store, rounds, AGENT)) {
      const attempts = workers.flatMap((worker, at) => {
        const lead = leads[at]
        return lead === undefined ? [] : [{ worker, claim: claimOf(task, lead) }]
      })
      const { won, answerCounts } = await race(attempts)
      addUp(total, answerCounts)
      const runs = await store.openRuns(null)
      const winner = won[0]?.claim.input.runId
      faults.push(
        ...unless(won.length === 1, `${task}: ${won.length} processes claimed it`),
        ...unless(answerCounts.claim_lost === processes - 1, `${task}: answers ${JSON.stringify(answerCounts)}`),
        ...unless(runs.length === 1 && runs[0]?.id === winner, `${task}: ${runs.length} open runs`),
      )
      for (const { claim } of won) await decide(store, 'settle', settleOf(claim).input)
    }
  })
  faults.push(...(await examined(store)))
  return { figures: { processes, cards: rounds, ...total }, faults }
}

/**
 * Sends many claims of different cards at once. The claims must reach the cap and never exceed it. For the cap of a
 * machine, all claims come from its dispatcher. For the cap of an agent, each process claims for its own machine.
 */
export async function proveCap(
  location: StoreLocation,
  store: Store,
  { processes, rounds, cap, of }: { processes: number; rounds: number; cap: number; of: 'machine' | 'agent' },
): Promise<Proof> {
  const faults: string[] = []
  const total: Record<string, number> = {}
  const machines = Array.from({ length: of === 'machine' ? 1 : processes }, (_, at) => `machine-${at}`)
  const leads = await Promise.all(machines.map((machine) => leadMachine(store, machine)))
  await withWorkers(location, processes, async (workers) => {
    for (let round = 0; round < rounds; round++) {
      const cards = await createCards(store, processes, AGENT)
      const attempts = workers.flatMap((worker, at) => {
        const card = cards[at]
        const lead = leads[at % leads.length]
        if (card === undefined || lead === undefined) return []
        return [{ worker, claim: claimOf(card, lead, { ...NO_CAPS, [of]: cap }) }]
      })
      const { won, answerCounts } = await race(attempts)
      addUp(total, answerCounts)
      const open = await store.openRuns(null)
      faults.push(
        ...unless(open.length === cap, `round ${round}: ${open.length} runs under a cap of ${cap}`),
        ...unless(
          won.length === cap && answerCounts.capped === processes - cap,
          `round ${round}: answers ${JSON.stringify(answerCounts)}`,
        ),
      )
      await Promise.all(won.map(({ worker, claim }) => worker.run('decide', { command: settleOf(claim) })))
    }
  })
  faults.push(...(await examined(store)))
  return { figures: { processes, rounds, [`cap of a ${of}`]: cap, ...total }, faults }
}
