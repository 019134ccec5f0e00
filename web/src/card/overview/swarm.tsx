/** Shows the role of the card in its swarm, the other cards of the swarm, and the blackboard that they share. */
import { Link } from 'wouter'
import { actorLabel } from '../../cards/event-lines.ts'
import { statusMessages } from '../../cards/status-messages.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { cardPath } from '../../routes/paths.ts'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import type { CardDetails, TabProps } from '../card-details.ts'
import css from './overview.module.css'
import { Section } from './section.tsx'
import { swarmMessages } from './swarm-messages.ts'

export function SwarmSections({ card }: TabProps) {
  const t = useMessages(swarmMessages)
  if (card.swarmRole === null) return null
  return (
    <>
      <Section title={t('swarm')} note={t(`roleNote_${card.swarmRole}`)}>
        <ul className={css.box}>
          {card.swarmMembers
            .filter(({ deletedAt }) => deletedAt === null)
            .map((member) => (
              <MemberRow key={member.id} card={card} member={member} />
            ))}
        </ul>
      </Section>
      <Blackboard card={card} />
    </>
  )
}

interface MemberProps {
  readonly card: CardDetails
  readonly member: CardDetails['swarmMembers'][number]
}

function MemberRow({ card, member: { id, role, title, status, assignee } }: MemberProps) {
  const t = useMessages(swarmMessages)
  const tStatus = useMessages(statusMessages)
  const isOwn = id === card.id
  return (
    <li className={css.line}>
      <StatusIcon status={status} label={tStatus(status)} />
      {isOwn ? (
        <b className={css.name}>{title}</b>
      ) : (
        <Link className={css.name} href={cardPath(card.board, id)} title={title}>
          {title}
        </Link>
      )}
      <span className={css.end}>{[t(`role_${role}`), assignee].filter(Boolean).join(' · ')}</span>
    </li>
  )
}

/** The value of an entry is the text of an agent, so it is shown as plain text. */
function Blackboard({ card: { blackboard } }: TabProps) {
  const t = useMessages(swarmMessages)
  return (
    <Section title={t('blackboard')} note={blackboard.length === 0 ? t('emptyBlackboard') : undefined}>
      {blackboard.length > 0 && (
        <dl className={css.box}>
          {blackboard.map(({ key, value, author, writtenAt }) => (
            <div key={key} className={css.entry}>
              <dt>
                <b>{key}</b>
                <span className={css.hint}>
                  {actorLabel(author)} · <RelativeTime at={writtenAt} as="relative" />
                </span>
              </dt>
              <dd className={css.quoted}>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  )
}
