/** A card of the plan in the list. Opened, it shows its fields. */
import { ChevronRight, Trash2 } from 'lucide-react'
import { linkFault } from '../cards/graph/links.ts'
import { linksOf, withCard, withLink, withoutCard, withoutLink } from '../cards/plans/plan-draft.ts'
import type { DraftCard, PlanDraft, PlanProblem } from '../cards/plans/plan-draft.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { CardFields } from './card-fields.tsx'
import { planMessages } from './messages.ts'
import css from './plan.module.css'

interface Props {
  readonly number: number
  readonly card: DraftCard
  readonly draft: PlanDraft
  readonly isOpen: boolean
  readonly isRefused: boolean
  readonly fault: PlanProblem['fault'] | null
  readonly onOpen: (isOpen: boolean) => void
  readonly onChange: (draft: PlanDraft) => void
}

export function PlannedCard(props: Props) {
  const { card, draft, isOpen, isRefused, fault, onOpen, onChange } = props
  const t = useMessages(planMessages)
  return (
    <li
      id={`planned-${card.key}`}
      className={classNames(css.planned, isOpen && css.opened, (isRefused || fault !== null) && css.faulty)}
    >
      <Head {...props} />
      {isOpen && (
        <div className={css.plannedBody}>
          <CardFields card={card} fault={fault} onChange={(change) => onChange(withCard(draft, card.key, change))} />
          <Parents card={card} draft={draft} onChange={onChange} />
          <Button
            size="small"
            look="ghost"
            isDanger
            icon={<Trash2 />}
            onClick={() => {
              onOpen(false)
              onChange(withoutCard(draft, card.key))
            }}
          >
            {t('remove')}
          </Button>
        </div>
      )}
    </li>
  )
}

function Head({ number, card, draft, isOpen, onOpen }: Props) {
  const t = useMessages(planMessages)
  const { title, assignee, checks, after } = card
  const shown = title.trim() === '' ? t('untitled') : title
  const numbers = after
    .map((key) => draft.cards.findIndex((one) => one.key === key) + 1)
    .filter((at) => at > 0)
    .toSorted((one, other) => one - other)
  const commands = checks.filter((check) => check.trim() !== '').length
  return (
    <button type="button" className={css.plannedHead} aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
      <span className={css.number}>{number}</span>
      <span className={css.plannedText}>
        <span className={css.plannedTitle}>{shown}</span>
        <span className={css.plannedFacts}>
          <span className={css.agent}>
            {assignee !== '' && <Avatar agent={assignee} />}
            {assignee === '' ? t('unassigned') : assignee}
          </span>
          <span>{numbers.length === 0 ? t('startsAtOnce') : t('waitsFor', { cards: numbers.join(', ') })}</span>
          {commands > 0 && <span className={css.commands}>{t('checkCount', { n: commands })}</span>}
        </span>
      </span>
      <ChevronRight className={css.chevron} />
    </button>
  )
}

/** Chooses the cards that must finish first. A card that would close a cycle cannot be chosen. */
function Parents({ card, draft, onChange }: Pick<Props, 'card' | 'draft' | 'onChange'>) {
  const t = useMessages(planMessages)
  const others = draft.cards.filter(({ key }) => key !== card.key)
  const links = linksOf(draft)
  return (
    <fieldset className={css.parents}>
      <legend className={css.legend}>{t('parents')}</legend>
      {others.length === 0 && <p className={css.faint}>{t('noOthers')}</p>}
      {others.map((other) => {
        const link = { parent: other.key, child: card.key }
        const isParent = card.after.includes(other.key)
        const closesCircle = !isParent && linkFault(links, link) === 'cycle'
        const name = other.title.trim() === '' ? t('untitled') : other.title
        return (
          <label
            key={other.key}
            className={css.parent}
            title={closesCircle ? t('wouldCircle', { card: name }) : undefined}
          >
            <input
              type="checkbox"
              checked={isParent}
              disabled={closesCircle}
              onChange={() => onChange(isParent ? withoutLink(draft, link) : withLink(draft, link))}
            />
            <span className={css.parentName}>{name}</span>
          </label>
        )
      })}
    </fieldset>
  )
}
