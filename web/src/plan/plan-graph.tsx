/** The graph of the planned cards. The original card comes last, because it compares their results. */
import { ShieldAlert } from 'lucide-react'
import drawing from '../cards/graph/canvas.module.css'
import { GraphCanvas } from '../cards/graph/canvas.tsx'
import type { GraphLine } from '../cards/graph/canvas.tsx'
import { lastCards, linksOf, withLink, withoutLink } from '../cards/plans/plan-draft.ts'
import type { DraftCard, PlanDraft } from '../cards/plans/plan-draft.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Avatar } from '../ui/avatar.tsx'
import type { IdeaCard } from './idea-card.ts'
import { planMessages } from './messages.ts'
import css from './plan.module.css'

interface Props {
  readonly card: IdeaCard
  readonly draft: PlanDraft
  /** The card whose fields are open. */
  readonly open: string | null
  readonly onChange: (draft: PlanDraft) => void
  readonly onOpen: (key: string) => void
}

export function PlanGraph({ card: root, draft, open, onChange, onOpen }: Props) {
  const t = useMessages(planMessages)
  const nameOf = (key: string): string => draft.cards.find((card) => card.key === key)?.title ?? key
  const links: readonly GraphLine[] = [
    ...linksOf(draft).map((link) => ({
      ...link,
      holdsBack: true,
      removeLabel: t('unlink', { child: nameOf(link.child), parent: nameOf(link.parent) }),
    })),
    ...lastCards(draft).map((parent) => ({ parent, child: root.id, holdsBack: true, removeLabel: null })),
  ]
  return (
    <GraphCanvas
      label={t('map')}
      direction="down"
      nodes={[
        ...draft.cards.map((card) => ({
          id: card.key,
          face: <Face card={card} onOpen={onOpen} />,
          isMiddle: card.key === open,
        })),
        { id: root.id, face: <RootFace card={root} />, isQuiet: true },
      ]}
      links={links}
      mayLink={({ parent, child }) => parent !== root.id && child !== root.id}
      onLink={(link) => onChange(withLink(draft, link))}
      onUnlink={(link) => onChange(withoutLink(draft, link))}
    />
  )
}

function Face({ card, onOpen }: { readonly card: DraftCard; readonly onOpen: (key: string) => void }) {
  const t = useMessages(planMessages)
  const { key, title, assignee, checks } = card
  return (
    <>
      <button type="button" className={drawing.title} title={title} onClick={() => onOpen(key)}>
        {title.trim() === '' ? t('untitled') : title}
      </button>
      <span className={drawing.facts}>
        <span className={css.agent}>
          {assignee !== '' && <Avatar agent={assignee} />}
          <span className={drawing.name}>{assignee === '' ? t('unassigned') : assignee}</span>
        </span>
        {checks.length > 0 && (
          <span className={`${drawing.agent ?? ''} ${css.commands ?? ''}`}>
            <ShieldAlert />
            {t('checkCount', { n: checks.length })}
          </span>
        )}
      </span>
    </>
  )
}

function RootFace({ card }: { readonly card: IdeaCard }) {
  const t = useMessages(planMessages)
  return (
    <>
      <span className={drawing.title} title={card.title}>
        {card.title}
      </span>
      <span className={drawing.facts}>{t('rootCompares')}</span>
    </>
  )
}
