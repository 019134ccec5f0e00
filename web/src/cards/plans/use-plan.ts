import { useLocation } from 'wouter'
import { planPath } from '../../routes/paths.ts'
import type { PlanKind } from './plan-draft.ts'
import { askPlanner, planNow } from './planner.ts'
import type { PlannedCard } from './planner.ts'

/**
 * Opens the page with the plan for a card, and asks the planner. A plan that the person has not applied yet is shown
 * instead, so that no edit is lost.
 */
export function useAskForPlan(): (card: PlannedCard, kind: PlanKind) => void {
  const [, navigate] = useLocation()
  return (card, kind) => {
    if (planNow(card.id) === null) void askPlanner(card, kind)
    navigate(planPath(card.board, card.id))
  }
}
