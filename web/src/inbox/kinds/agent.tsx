import { client } from '../../api/client.ts'
import { useNow } from '../../app-state/use-now.ts'
import { AgentMenu } from '../../cards/agent-select.tsx'
import { reasonLine } from '../../cards/reason-line.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { agentPath, settingsPath } from '../../routes/paths.ts'
import { Button } from '../../ui/button.tsx'
import { actionMessages } from '../action-messages.ts'
import { ActionLink } from '../action-link.tsx'
import { remedyOf } from '../card-item.ts'
import type { CardItem } from '../card-item.ts'
import { useInbox } from '../inbox-context.ts'
import { ItemHeading } from '../item-heading.tsx'
import css from '../item.module.css'
import { Refusal } from '../refusal.tsx'
import { useItemCommand } from '../use-item-command.ts'
import { CopyCommand } from './account.tsx'
import { CommandText } from './command-text.tsx'
import { ReviewItem } from './review.tsx'

/**
 * Shows a card whose agent does not exist or cannot run here. If the card is in review, the person can also review it.
 */
export function AgentItem({ item }: { readonly item: CardItem }) {
  const canReview = remedyOf(item, 'approve') !== undefined || remedyOf(item, 'request-changes') !== undefined
  if (canReview)
    return (
      <>
        <Why item={item} />
        <ReviewItem item={item}>
          <ChooseReviewer item={item} />
        </ReviewItem>
      </>
    )
  return (
    <>
      <ItemHeading item={item} />
      <Why item={item} />
      <Remedies item={item} />
    </>
  )
}

function Why({ item: { reason } }: { readonly item: CardItem }) {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  const now = useNow()
  if (reason === null) return null
  const fault = reason.params['fault']
  const folder = remedyOf(reason, 'agents approve')?.input['folder']
  return (
    <>
      <p className={css.context}>{reasonLine(reason, { language, now })}</p>
      {typeof fault === 'string' && <CommandText label={t('transcript')}>{fault}</CommandText>}
      {typeof folder === 'string' && (
        <>
          <p className={css.label}>{t('runInTerminal')}</p>
          <CommandText label={t('runInTerminal')}>{`muster agents approve '${folder}'`}</CommandText>
        </>
      )}
    </>
  )
}

function Remedies({ item }: { readonly item: CardItem }) {
  const t = useMessages(actionMessages)
  const { currentId } = useInbox()
  const assign = useItemCommand<string, unknown>(item, {
    run: (agent) => client.assign({ task: item.id, assignee: agent }),
    done: (_, agent) => ({ text: t('assigned', { card: item.task.title, agent }) }),
  })
  const folder = remedyOf(item, 'agents approve')?.input['folder']
  const agent = item.reason?.params['agent']
  return (
    <>
      <div className={css.actions}>
        <span className={css.push}>
          {typeof agent === 'string' && <ActionLink href={agentPath(agent)}>{t('openAgent', { agent })}</ActionLink>}
          {typeof folder === 'string' && <CopyCommand command={`muster agents approve '${folder}'`} />}
          {remedyOf(item, 'boards set') !== undefined && (
            <ActionLink href={`${settingsPath('boards')}?board=${item.board}`}>{t('boardSettings')}</ActionLink>
          )}
          <ChooseReviewer item={item} />
          {remedyOf(item, 'assign') !== undefined && (
            <AgentMenu label={t('assign')} value={item.task.assignee} onChoose={(name) => assign.mutate(name)}>
              <Button size="small" look={currentId === item.id ? 'primary' : 'normal'} writes isBusy={assign.isPending}>
                {t('assign')}
              </Button>
            </AgentMenu>
          )}
        </span>
      </div>
      <Refusal error={assign.error} />
    </>
  )
}

function ChooseReviewer({ item }: { readonly item: CardItem }) {
  const t = useMessages(actionMessages)
  const edit = useItemCommand<string, unknown>(item, {
    run: (reviewer) => client.edit({ task: item.id, reviewer }),
    done: (_, agent) => ({ text: t('assigned', { card: item.task.title, agent }) }),
  })
  const isOffered = item.remedies.some(({ operation, asks }) => operation === 'edit' && asks.includes('reviewer'))
  if (!isOffered) return null
  return (
    <AgentMenu label={t('chooseReviewer')} value={null} onChoose={(name) => edit.mutate(name)}>
      <Button size="small" writes isBusy={edit.isPending}>
        {t('chooseReviewer')}
      </Button>
    </AgentMenu>
  )
}
