/** The fields of a card of the plan. */
import { useState } from 'react'
import { Eye, PencilLine } from 'lucide-react'
import { AgentSelect } from '../cards/agent-select.tsx'
import type { DraftCard, PlanProblem } from '../cards/plans/plan-draft.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Field, TextArea, TextField, Textarea } from '../ui/field.tsx'
import { Markdown } from '../ui/markdown.tsx'
import { Choices } from '../ui/switch.tsx'
import { planMessages } from './messages.ts'
import css from './plan.module.css'

interface Props {
  readonly card: DraftCard
  readonly onChange: (change: Partial<DraftCard>) => void
  readonly fault: PlanProblem['fault'] | null
  readonly bodyRows?: number
}

export function CardFields({ card, onChange, fault, bodyRows = 7 }: Props) {
  const t = useMessages(planMessages)
  const { title, assignee, checks } = card
  const isAboutChecks = fault === 'manyChecks'
  return (
    <div className={css.fields}>
      <TextField
        label={t('cardTitle')}
        error={fault === null || isAboutChecks ? null : t(fault)}
        value={title}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <Body card={card} onChange={onChange} rows={bodyRows} />
      <Field label={t('cardAgent')}>
        {(control) => (
          <AgentSelect
            {...control}
            label={t('cardAgent')}
            value={assignee}
            onChange={(agent) => onChange({ assignee: agent })}
            none={{ label: t('defaultAgent') }}
          />
        )}
      </Field>
      <TextArea
        label={t('checks')}
        hint={t('checksHint')}
        error={isAboutChecks ? t(fault) : null}
        className={css.code}
        rows={Math.max(2, checks.length)}
        spellCheck={false}
        value={checks.join('\n')}
        onChange={(event) => onChange({ checks: event.target.value === '' ? [] : event.target.value.split('\n') })}
      />
    </div>
  )
}

/** The description as text, or as it will look. */
function Body({ card, onChange, rows }: Pick<Props, 'card' | 'onChange'> & { readonly rows: number }) {
  const t = useMessages(planMessages)
  const [view, setView] = useState<'write' | 'read'>('write')
  return (
    <div className={css.bodyField}>
      <Field label={t('cardBody')}>
        {(control) =>
          view === 'read' ? (
            <div id={control.id} className={css.preview}>
              <Markdown text={card.body} />
            </div>
          ) : (
            <Textarea
              {...control}
              className={css.bodyText}
              rows={rows}
              value={card.body}
              onChange={(event) => onChange({ body: event.target.value })}
            />
          )
        }
      </Field>
      <span className={css.bodyView}>
        <Choices
          label={t('cardBody')}
          current={view}
          choices={[
            { key: 'write', label: <PencilLine aria-label={t('write')} /> },
            { key: 'read', label: <Eye aria-label={t('preview')} /> },
          ]}
          onChange={setView}
        />
      </span>
    </div>
  )
}
