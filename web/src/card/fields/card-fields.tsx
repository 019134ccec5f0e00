/** Shows every field of the card. A click or Enter opens the editor of a field in place. */
import { ChevronDown, ChevronUp, Pencil } from 'lucide-react'
import { useContext, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useCanWrite } from '../../api/use-live.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { seriesPath } from '../../routes/paths.ts'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { useCardActions } from '../actions/use-card-actions.tsx'
import type { CardDetails, TabProps } from '../card-details.ts'
import { ReadOnlyReason } from '../frame/use-read-only.ts'
import { FieldEditor } from './field-editor.tsx'
import { FIELD_LIST, isShown, lockOf } from './field-list.ts'
import type { FieldName } from './field-list.ts'
import { FieldValue } from './field-value.tsx'
import css from './fields.module.css'
import { fieldMessages } from './messages.ts'

interface Props extends TabProps {
  /** The field whose editor is open. Null means that no editor is open. */
  readonly editing: FieldName | null
  readonly onEdit: (name: FieldName | null) => void
}

export function CardFields({ card, editing, onEdit }: Props) {
  const t = useMessages(fieldMessages)
  const [isWhole, setIsWhole] = useState(false)
  const names = FIELD_LIST.filter((name) => isWhole || name === editing || isShown(name, card))
  const hidden = FIELD_LIST.length - names.length
  return (
    <>
      <dl className={css.list}>
        {names.map((name) => (
          <FieldRow
            key={name}
            name={name}
            card={card}
            isEditing={editing === name}
            onEdit={(isOpen) => onEdit(isOpen ? name : null)}
          />
        ))}
        <Fixed card={card} />
      </dl>
      {(hidden > 0 || isWhole) && (
        <Button
          className={css.more}
          size="small"
          look="ghost"
          icon={isWhole ? <ChevronUp /> : <ChevronDown />}
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {t(isWhole ? 'fewer' : 'more')}
        </Button>
      )}
    </>
  )
}

interface RowProps {
  readonly name: FieldName
  readonly card: CardDetails
  readonly isEditing: boolean
  readonly onEdit: (isOpen: boolean) => void
}

function FieldRow({ name, card, isEditing, onEdit }: RowProps) {
  const t = useMessages(fieldMessages)
  const readOnly = useContext(ReadOnlyReason)
  const { start } = useCardActions()
  const row = useRef<HTMLDivElement>(null)
  const wasEditing = useRef(false)
  const canWrite = useCanWrite()
  const lock = lockOf(name, card)
  const reason = readOnly ?? (lock === null ? null : t(lock))
  useEffect(() => {
    if (isEditing) {
      row.current?.scrollIntoView({ block: 'nearest' })
      row.current?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true })
    } else if (wasEditing.current && document.activeElement === document.body) {
      row.current?.querySelector('button')?.focus({ preventScroll: true })
    }
    wasEditing.current = isEditing
  }, [isEditing])
  const value = <FieldValue name={name} card={card} />
  return (
    <div ref={row} className={css.row} data-field={name}>
      <dt>{t(name)}</dt>
      <dd>
        {isEditing ? (
          <FieldEditor name={name} card={card} onClose={() => onEdit(false)} />
        ) : reason === null ? (
          <button
            type="button"
            className={css.value}
            aria-disabled={!canWrite || undefined}
            onClick={() => canWrite && (name === 'scheduledAt' ? start('schedule') : onEdit(true))}
          >
            <span className={css.hidden}>{t('change', { field: t(name) })}: </span>
            {value}
            <span className={css.pen}>
              <Pencil />
            </span>
          </button>
        ) : (
          <Tooltip text={reason}>
            {/* The reason can have the focus, so that keyboard users can read it. */}
            <div className={css.fixed} tabIndex={0}>
              {value}
            </div>
          </Tooltip>
        )}
      </dd>
    </div>
  )
}

/** The fields that cannot be changed. */
function Fixed({ card }: TabProps) {
  const t = useMessages(fieldMessages)
  const { workspace, series } = card
  return (
    <>
      {workspace.machine !== null && (
        <div className={css.row}>
          <dt>{t('machine')}</dt>
          <dd className={css.fixed}>{workspace.host ?? workspace.machine}</dd>
        </div>
      )}
      {series !== null && (
        <div className={css.row}>
          <dt>{t('series')}</dt>
          <dd className={css.fixed}>
            <Link href={seriesPath(series)} className={css.link}>
              {t('showSeries')}
            </Link>
          </dd>
        </div>
      )}
      <div className={css.row}>
        <dt>{t('created')}</dt>
        <dd className={css.fixed}>
          <span>
            {t.rich('createdBy', { time: <RelativeTime at={card.createdAt} as="relative" />, name: card.createdBy })}
          </span>
        </dd>
      </div>
      <div className={css.row}>
        <dt>{t('updated')}</dt>
        <dd className={css.fixed}>
          <RelativeTime at={card.updatedAt} as="relative" />
        </dd>
      </div>
    </>
  )
}
