/** Creates a card so that it appears in the lane where the person typed its title. */
import type { Inputs } from '../../../../src/client/index.ts'
import { client } from '../../api/client.ts'
import type { LaneName } from '../lanes.ts'

const TAKES: readonly LaneName[] = ['triage', 'waiting', 'ready']

export const takesCards = (lane: LaneName): boolean => TAKES.includes(lane)

export async function createInLane(lane: LaneName, card: Inputs['create'], board: string): Promise<void> {
  if (lane === 'triage') await client.create({ ...card, triage: true }, { board })
  else if (lane === 'waiting') await createWaiting(card, board)
  else await client.create(card, { board })
}

/**
 * Creates a card that waits without a time, until a person starts it. The card is on hold until it is scheduled, so it
 * cannot start in between.
 */
async function createWaiting(card: Inputs['create'], board: string): Promise<void> {
  const { task } = await client.create({ ...card, held: true }, { board })
  await client.schedule({ task: task.id })
  await client.release({ task: task.id })
}
