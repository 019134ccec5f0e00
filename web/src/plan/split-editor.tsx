/** The cards of the plan: their graph, and a list in which each card can be changed. */
import { Plus } from 'lucide-react'
import { CARDS_MAX, withNewCard } from '../cards/plans/plan-draft.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { useQueryField } from '../routes/use-query-field.ts'
import { Button } from '../ui/button.tsx'
import { loadLater } from '../ui/load-later.tsx'
import type { EditorProps } from './editor-props.ts'
import { planMessages } from './messages.ts'
import css from './plan.module.css'
import { PlannedCard } from './planned-card.tsx'

const PlanGraph = loadLater(() => import('./plan-graph.tsx').then((module) => module.PlanGraph))

interface Props extends EditorProps {
  /** The card that the server refused. */
  readonly refused: string | null
}

export function SplitEditor({ card, draft, onChange, fault, refused }: Props) {
  const t = useMessages(planMessages)
  const [open, setOpen] = useQueryField('at')
  const isFull = draft.cards.length >= CARDS_MAX
  const show = (key: string | null): void => {
    setOpen(key, { adds: false })
    if (key !== null) requestAnimationFrame(() => focusCard(key))
  }
  const add = (): void => {
    const next = withNewCard(draft)
    onChange(next.draft)
    show(next.key)
  }
  return (
    <div className={css.split}>
      <div className={css.graph}>
        <PlanGraph card={card} draft={draft} open={open} onChange={onChange} onOpen={show} />
        <p className={css.graphHint}>{t('mapHint')}</p>
      </div>
      <section className={css.list} aria-label={t('list')}>
        <div className={css.listHead}>
          <h2 className={css.heading}>{t('cards', { n: draft.cards.length })}</h2>
          <Button
            size="small"
            icon={<Plus />}
            disabledReason={isFull ? t('addFull', { n: CARDS_MAX }) : null}
            onClick={add}
          >
            {t('add')}
          </Button>
        </div>
        <ol className={css.cards}>
          {draft.cards.map((one, at) => (
            <PlannedCard
              key={one.key}
              number={at + 1}
              card={one}
              draft={draft}
              isOpen={open === one.key}
              isRefused={refused === one.key}
              fault={fault?.card === one.key ? fault.fault : null}
              onOpen={(isOpen) => show(isOpen ? one.key : null)}
              onChange={onChange}
            />
          ))}
        </ol>
      </section>
    </div>
  )
}

/** Shows the card of the list, and moves the focus to its title. */
function focusCard(key: string): void {
  const card = document.getElementById(`planned-${key}`)
  card?.scrollIntoView({ block: 'nearest' })
  card?.querySelector<HTMLElement>('input')?.focus({ preventScroll: true })
}
