/**
 * Limits the cards that a run may create. Without these limits, agents that create cards for each other would loop
 * forever.
 */
import { actorRun } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { DEFAULT_SETTINGS } from '../board.ts'
import type { BoardSettings } from '../board.ts'
import { refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import type { FactTypes } from '../facts.ts'

/** Requests the fact that `refuseOverLimits` compares with the limits. */
export const creationsOf = (actor: Actor) => ({ fact: 'run_creations' as const, run: actorRun(actor) })

/**
 * The card on which the actor's run works. The verb `create` locks this card, so that two calls at the same time cannot
 * both pass the limit.
 */
export const cardOfRun = (actor: Actor) =>
  (actor.kind === 'worker' || actor.kind === 'orchestrator') && actor.taskId !== null ? [actor.taskId] : []

/**
 * Refuses new cards if the run has created too many or the cards are nested too deeply. Null means that the cards are
 * allowed.
 */
export function refuseOverLimits(
  actor: Actor,
  { cards, depth }: FactTypes['run_creations']['answer'],
  { adding, settings }: { readonly adding: number; readonly settings: BoardSettings },
): Refused | null {
  const run = actorRun(actor)
  if (run === null) return null
  const { maxCardsPerRun, maxDepth } = { ...DEFAULT_SETTINGS, ...settings }
  if (cards + adding > maxCardsPerRun)
    return refuse(
      'not_allowed',
      `A run may create at most ${maxCardsPerRun} cards, and run ${run} has created ${cards}: finish, or ask a person to create the rest.`,
      { runId: run, created: cards, maxCardsPerRun },
    )
  if (depth > maxDepth)
    return refuse(
      'not_allowed',
      `Chains of cards that agents create have at most ${maxDepth} levels: do the work in this card, or ask a person to create the next card.`,
      { runId: run, depth, maxDepth },
    )
  return null
}
