/** Notes about the plan that the person must read before applying it. */
import { Info, ShieldAlert, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { isInTriage } from '../../../src/core/status.ts'
import { rosterQuery } from '../api/queries.ts'
import { commandCount, hasMoved } from '../cards/plans/plan-draft.ts'
import type { PlanDraft } from '../cards/plans/plan-draft.ts'
import { statusMessages } from '../cards/status-messages.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { classNames } from '../ui/class-names.ts'
import type { IdeaCard } from './idea-card.ts'
import { planMessages } from './messages.ts'
import css from './plan.module.css'
import { useUsageText } from './usage-text.ts'

interface Props {
  readonly card: IdeaCard
  readonly draft: PlanDraft
}

export function Notes({ card, draft }: Props) {
  const t = useMessages(planMessages)
  const usageText = useUsageText()
  const { rationale, usage } = draft.plan
  return (
    <>
      <Stale card={card} />
      {isInTriage(card.status) && hasMoved(draft, card) && (
        <Note tone="act" icon={<TriangleAlert />}>
          {t('moved')}
        </Note>
      )}
      <Changed card={card} draft={draft} />
      <Commands draft={draft} />
      {draft.asked === 'decompose' && draft.plan.kind === 'specify' && <Note icon={<Info />}>{t('oneUnit')}</Note>}
      {rationale !== '' && (
        <p className={css.rationale}>
          <span className={css.heading}>{t('rationale')}</span> {rationale}
        </p>
      )}
      {usage !== null && <p className={css.faint}>{usageText(usage)}</p>}
    </>
  )
}

interface NoteProps {
  readonly tone?: 'quiet' | 'act'
  readonly icon: ReactNode
  readonly children: ReactNode
}

const Note = ({ tone = 'quiet', icon, children }: NoteProps) => (
  <div className={classNames(css.note, tone === 'act' && css.act)}>
    {icon}
    <div className={css.noteText}>{children}</div>
  </div>
)

function Stale({ card: { status, deletedAt } }: Pick<Props, 'card'>) {
  const t = useMessages(planMessages)
  const tStatus = useMessages(statusMessages)
  if (deletedAt === null && isInTriage(status)) return null
  return (
    <div role="alert">
      <Note tone="act" icon={<TriangleAlert />}>
        <p>{deletedAt === null ? t('stale', { status: tStatus(status) }) : t('staleDeleted')}</p>
        <p className={css.muted}>{t('staleMore')}</p>
      </Note>
    </div>
  )
}

/**
 * The changes that the server made to the answer of the model: it replaced agents that do not exist, and removed
 * dependencies on unknown cards.
 */
function Changed({ card, draft }: Props) {
  const t = useMessages(planMessages)
  const { dropped, reassigned } = draft.plan
  if (dropped.length + reassigned.length === 0) return null
  const titleOf = (key: string): string =>
    draft.cards.find((one) => one.key === key)?.title ?? (key === card.id ? card.title : key)
  return (
    <Note tone="act" icon={<TriangleAlert />}>
      <ul className={css.lines}>
        {reassigned.map(({ card: key, wanted, assignee }) => (
          <li key={`${key} ${wanted}`}>
            {assignee === null
              ? t('reassignedNone', { wanted, card: titleOf(key) })
              : t('reassigned', { wanted, agent: assignee, card: titleOf(key) })}
          </li>
        ))}
        {dropped.map(({ card: key, after }) => (
          <li key={`${key} after ${after}`}>{t('dropped', { after, card: titleOf(key) })}</li>
        ))}
      </ul>
    </Note>
  )
}

/** A model wrote the commands, so they wait for an approval. An agent may also run the description as a script. */
function Commands({ draft }: Pick<Props, 'draft'>) {
  const t = useMessages(planMessages)
  const { data } = useQuery(rosterQuery)
  const count = commandCount(draft)
  const used = new Set(draft.cards.map(({ assignee }) => assignee))
  const scripts = (data?.agents ?? []).filter(({ name, harness }) => harness === 'shell' && used.has(name))
  if (count + scripts.length === 0) return null
  return (
    <Note icon={<ShieldAlert />}>
      {count > 0 && <p>{t('commands', { n: count })}</p>}
      {scripts.map(({ name }) => (
        <p key={name}>{t('script', { agent: name })}</p>
      ))}
    </Note>
  )
}
