/** A card before and after the planner wrote it out. */
import { withCard } from '../cards/plans/plan-draft.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { CardFields } from './card-fields.tsx'
import type { EditorProps } from './editor-props.ts'
import { Idea } from './idea.tsx'
import { planMessages } from './messages.ts'
import css from './plan.module.css'

export function SpecifyEditor({ card, draft, onChange, fault }: EditorProps) {
  const t = useMessages(planMessages)
  const [planned] = draft.cards
  if (planned === undefined) return null
  return (
    <div className={css.sides}>
      <Idea card={card} heading={t('before')} />
      <section className={css.sheet} aria-label={t('after')}>
        <h2 className={css.heading}>{t('after')}</h2>
        <CardFields
          card={planned}
          bodyRows={16}
          fault={fault?.fault ?? null}
          onChange={(change) => onChange(withCard(draft, planned.key, change))}
        />
      </section>
    </div>
  )
}
