import { Network, PencilLine, Sparkles } from 'lucide-react'
import { useRef } from 'react'
import { client } from '../../api/client.ts'
import { useCanWrite } from '../../api/use-live.ts'
import { AgentMenu } from '../../cards/agent-select.tsx'
import { plannerMessages } from '../../cards/plans/messages.ts'
import { useAskForPlan } from '../../cards/plans/use-plan.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { cardPath } from '../../routes/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuEntry } from '../../ui/menu.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { showToast } from '../../ui/toasts.ts'
import { actionMessages } from '../action-messages.ts'
import { ActionLink } from '../action-link.tsx'
import { remedyOf } from '../card-item.ts'
import type { CardItem } from '../card-item.ts'
import { useInbox } from '../inbox-context.ts'
import { ItemHeading } from '../item-heading.tsx'
import css from '../item.module.css'
import { LongText } from '../long-text.tsx'
import { Refusal } from '../refusal.tsx'
import { useItemCommand } from '../use-item-command.ts'
import { useItemKeys } from '../use-item-keys.ts'

/** Shows a card in triage. The person can assign it, move it on, or delete it. */
export function TriageItem({ item }: { readonly item: CardItem }) {
  const t = useMessages(actionMessages)
  const { currentId } = useInbox()
  const button = useRef<HTMLButtonElement>(null)
  const { title, assignee } = item.task
  const assign = useItemCommand<string, unknown>(item, {
    run: (agent) => client.assign({ task: item.id, assignee: agent }),
    done: (_, agent) => ({ text: t('assigned', { card: title, agent }) }),
    stays: true,
  })
  const promote = useItemCommand<void, unknown>(item, {
    run: () => client.promote({ task: item.id }),
    done: () => ({ text: t('promoted', { card: title }) }),
  })
  const drop = useDelete(item)
  const plans = usePlanEntries(item)
  useItemKeys(item.id, { act: () => button.current?.click() })
  return (
    <>
      <ItemHeading item={item} />
      {item.question !== null && <LongText text={item.question} />}
      <div className={css.actions}>
        <span className={css.push}>
          <Button size="small" look="ghost" writes isDanger isBusy={drop.isPending} onClick={() => drop.mutate()}>
            {t('delete')}
          </Button>
          <ActionLink href={cardPath(item.board, item.id)}>{t('edit')}</ActionLink>
          <Menu align="end" entries={plans}>
            <Button size="small" icon={<Sparkles />}>
              {t('plan')}
            </Button>
          </Menu>
          <AgentMenu label={t('assign')} value={assignee} onChoose={(agent) => assign.mutate(agent)}>
            <Button size="small" writes isBusy={assign.isPending}>
              {t('assign')}
            </Button>
          </AgentMenu>
          <Button
            ref={button}
            size="small"
            look={currentId === item.id ? 'primary' : 'normal'}
            writes
            isBusy={promote.isPending}
            disabledReason={remedyOf(item, 'promote') === undefined ? t('notPromotable') : null}
            onClick={() => promote.mutate()}
          >
            {t('promote')}
          </Button>
        </span>
      </div>
      <Refusal error={assign.error ?? promote.error ?? drop.error} />
    </>
  )
}

/** The actions of the planner for the card. The page of the plan shows why a card cannot be split again. */
function usePlanEntries(item: CardItem): readonly MenuEntry[] {
  const t = useMessages(plannerMessages)
  const ask = useAskForPlan()
  const canWrite = useCanWrite()
  const tUi = useMessages(uiMessages)
  const { id, board } = item
  const { title } = item.task
  return (['specify', 'decompose'] as const).map((kind) => ({
    key: kind,
    label: t(kind),
    icon: kind === 'specify' ? <PencilLine /> : <Network />,
    disabledReason: canWrite ? null : tUi('notWhileOffline'),
    onChoose: () => ask({ id, board, title }, kind),
  }))
}

function useDelete(item: CardItem) {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  const undo = (): void =>
    void client
      .undelete({ task: item.id })
      .catch((error: unknown) => showToast({ kind: 'failed', text: describeError(error, language) }))
  return useItemCommand<void, unknown>(item, {
    run: () => client.delete({ task: item.id }),
    done: () => ({
      text: t('deleted', { card: item.task.title }),
      action: { label: t('undo'), onChoose: undo },
    }),
  })
}
