import { ArrowLeft, Bot } from 'lucide-react'
import { Link } from 'wouter'
import { useMessages } from '../i18n/use-messages.tsx'
import { activityPath, ROUTES } from '../routes/paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { EmptyState } from '../ui/states.tsx'
import { AgentCheck } from './agent-check.tsx'
import { AgentFacts } from './agent-facts.tsx'
import { AgentPill } from './agent-pill.tsx'
import { AgentWeek } from './agent-week.tsx'
import css from './detail.module.css'
import { detailMessages } from './detail-messages.ts'
import { Instructions } from './instructions.tsx'
import list from './agents.module.css'
import { PauseButtons } from './pause-buttons.tsx'
import { Pauses } from './pauses.tsx'
import type { Member } from './queries.ts'
import { SetUp } from './set-up.tsx'

interface Props {
  readonly name: string
  /** The agent. Undefined if no agent has this name. */
  readonly member: Member | undefined
}

export function AgentDetail({ name, member }: Props) {
  const t = useMessages(detailMessages)
  return (
    <article className={css.detail} aria-labelledby="agent-name">
      <Link href={ROUTES.agents} className={`${css.link} ${list.back ?? ''}`}>
        <ArrowLeft /> {t('back')}
      </Link>
      {member === undefined ? (
        <EmptyState icon={<Bot />} title={t('notFound', { agent: name })}>
          {t('notFoundMore')}
        </EmptyState>
      ) : (
        <>
          <DetailHead member={member} />
          <SetUp member={member} />
          <Pauses member={member} />
          <AgentWeek week={member.week} />
          <Link href={activityPath({ by: `agent:${name}` })} className={css.link}>
            {t('activity')}
          </Link>
          <AgentFacts member={member} />
          {member.file !== null && <Instructions name={name} />}
        </>
      )}
    </article>
  )
}

function DetailHead({ member }: { readonly member: Member }) {
  const { name, description } = member
  return (
    <header className={css.head}>
      <Avatar agent={name} isLarge />
      <h2 id="agent-name" className={css.name}>
        {name}
      </h2>
      <AgentPill member={member} />
      <span className={css.buttons}>
        <AgentCheck member={member} />
        <PauseButtons member={member} />
      </span>
      {description !== null && <p className={css.about}>{description}</p>}
    </header>
  )
}
