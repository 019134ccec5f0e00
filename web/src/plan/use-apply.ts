/** Applies the plan as the person changed it. The server checks it again. If it refuses, the plan stays as it is. */
import { useLocation } from 'wouter'
import type { ClientError } from '../../../src/client/index.ts'
import { client } from '../api/client.ts'
import { asClientError } from '../api/errors.ts'
import { keys } from '../api/keys.ts'
import { useCommand } from '../api/use-command.ts'
import { planOf } from '../cards/plans/plan-draft.ts'
import type { PlanDraft } from '../cards/plans/plan-draft.ts'
import { keepPlan } from '../cards/plans/planner.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { cardPath, graphPath } from '../routes/paths.ts'
import { showToast } from '../ui/toasts.ts'
import type { IdeaCard } from './idea-card.ts'
import { planMessages } from './messages.ts'

interface Apply {
  readonly apply: (isHeld: boolean) => void
  /** The refusal of the server. */
  readonly error: ClientError | null
  readonly reset: () => void
  readonly isBusy: boolean
}

export function useApply(card: IdeaCard, draft: PlanDraft): Apply {
  const t = useMessages(planMessages)
  const [, navigate] = useLocation()
  const { id, board, title } = card
  const command = useCommand({
    run: (hold: boolean) =>
      draft.plan.kind === 'decompose'
        ? client.decompose({ task: id, plan: planOf(draft), hold })
        : client.specify({ task: id, plan: planOf(draft), hold }),
    cards: () => [id],
    refresh: () => [keys.card(id), keys.board(board)],
    onDone: ({ children, task }, hold) => {
      keepPlan(id, null)
      const isSplit = children.length > 0
      showToast({
        kind: 'done',
        text: isSplit ? t('done_decompose', { n: children.length }) : t('done_specify', { card: task.title ?? title }),
        ...(hold && { note: t('heldNow') }),
      })
      navigate(isSplit ? graphPath(board, id) : cardPath(board, id))
    },
  })
  return {
    apply: (isHeld) => command.mutate(isHeld),
    error: command.error === null ? null : asClientError(command.error),
    reset: command.reset,
    isBusy: command.isPending,
  }
}
