import { client } from '../../api/client.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { actionMessages } from '../action-messages.ts'
import { remedyOf } from '../card-item.ts'
import type { CardItem } from '../card-item.ts'
import { useItemCommand } from '../use-item-command.ts'

/** Lets a card start again. If the limit of attempts stopped the card, also resets its attempts. */
export const retry = (item: CardItem, reason: string | null = null): Promise<unknown> => {
  const reset = remedyOf(item, 'unblock')?.input['reset'] === true
  return client.unblock({ task: item.id, reset, ...(reason !== null && { reason }) })
}

/** Assigns a stopped card to another agent, and lets it start again. */
export function useReassign(item: CardItem) {
  const t = useMessages(actionMessages)
  return useItemCommand<string, unknown>(item, {
    async run(agent) {
      await client.assign({ task: item.id, assignee: agent })
      return retry(item)
    },
    done: (_, agent) => ({ text: t('reassigned', { card: item.task.title, agent }) }),
  })
}
