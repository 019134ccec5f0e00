import type { PlanDraft, PlanProblem } from '../cards/plans/plan-draft.ts'
import type { IdeaCard } from './idea-card.ts'

export interface EditorProps {
  readonly card: IdeaCard
  readonly draft: PlanDraft
  readonly onChange: (draft: PlanDraft) => void
  /** The mistake that keeps the plan from being applied. */
  readonly fault: PlanProblem | null
}
