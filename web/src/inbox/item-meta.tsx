/** Shows the first line of an item: its kind, its agent and its age. */
import { Link } from 'wouter'
import type { InboxItem } from '../api/queries.ts'
import { useNow } from '../app-state/use-now.ts'
import { reasonLine } from '../cards/reason-line.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { cardPath } from '../routes/paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Pill } from '../ui/pill.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { actionMessages } from './action-messages.ts'
import { isCardItem } from './card-item.ts'
import type { CardItem } from './card-item.ts'
import css from './item.module.css'
import { KIND_LOOKS } from './kind-look.tsx'
import { kindMessages } from './messages.ts'
import { SnoozeMenu } from './snooze-menu.tsx'

export function ItemMeta({ item }: { readonly item: InboxItem }) {
  const t = useMessages(kindMessages)
  // Whether this page knows the kind. A newer server may send other kinds.
  const isKnown = Object.hasOwn(KIND_LOOKS, item.kind)
  const { hue, icon } = KIND_LOOKS[isKnown ? item.kind : 'blocked']
  return (
    <div className={css.meta}>
      <Pill hue={hue} icon={icon}>
        {isKnown ? t(item.kind) : item.kind}
      </Pill>
      {isCardItem(item) ? <CardMeta item={item} /> : <span className={css.agent} />}
      <span className={css.age}>
        <RelativeTime at={item.since} />
      </span>
      {item.hidden === null && <SnoozeMenu item={item} />}
    </div>
  )
}

function CardMeta({ item }: { readonly item: CardItem }) {
  const t = useMessages(actionMessages)
  const agent = agentOf(item)
  return (
    <span className={css.agent}>
      {agent !== null && <Avatar agent={agent} />}
      <span className={css.cut}>
        {item.kind === 'approval' && agent !== null ? t('writtenBy', { author: agent }) : (agent ?? t('unassigned'))}
        {item.kind === 'question' && ' ·'}
        {item.kind === 'stopped' && <StoppedBecause item={item} />}
      </span>
      {item.kind === 'question' && (
        <Link href={cardPath(item.board, item.id)} className={css.titleLink}>
          {item.task.title}
        </Link>
      )}
    </span>
  )
}

function StoppedBecause({ item: { reason } }: { readonly item: CardItem }) {
  const language = useLanguage()
  const now = useNow()
  if (reason === null) return null
  const line = reasonLine(reason, { language, now })
  return ` · ${line.charAt(0).toLowerCase()}${line.slice(1)}`
}

/** Returns the author of the commands. For other items, the agent of the card or of its last attempt. */
function agentOf({ commands, task, work, kind }: CardItem): string | null {
  if (kind === 'approval' && commands !== null) return (commands.bodyBy ?? commands.createdBy).replace(/^agent:/, '')
  return task.assignee ?? work?.by ?? null
}
