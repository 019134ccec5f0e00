/** The menu of filters. It first shows the fields, then the values of the chosen field. */
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Check, ChevronRight, ListFilter, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { HeaderButton } from '../../page/page-header.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Listbox } from '../../ui/listbox.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { STATUSES } from '../../../../src/core/vocabulary.ts'
import { FILTER_FIELDS } from './chips.ts'
import type { FilterField } from './chips.ts'
import { LISTED, optionsOf } from './filter-options.ts'
import type { FilterOption } from './filter-options.ts'
import css from './filters.module.css'
import { filterMessages } from './messages.ts'
import { groupsQuery } from './queries.ts'
import type { BoardView } from './use-board-view.ts'

interface Props {
  readonly board: string | null
  readonly view: BoardView
  /** Whether the button of the menu looks like the chips beside it. */
  readonly isChip?: boolean
}

export function FilterMenu({ board, view, isChip = false }: Props) {
  const t = useMessages(filterMessages)
  const [isOpen, setIsOpen] = useState(false)
  const [field, setField] = useState<FilterField | null>(null)
  const change = (open: boolean): void => {
    setIsOpen(open)
    setField(null)
  }
  const trigger = isChip ? (
    <button type="button" className={css.chip}>
      <Plus />
      {t('filter')}
    </button>
  ) : (
    <HeaderButton isQuiet icon={<ListFilter />} label={t('filter')} />
  )
  return (
    <Popover
      trigger={trigger}
      label={t('filters')}
      align={isChip ? 'start' : 'end'}
      isOpen={isOpen}
      onOpenChange={change}
      className={css.menu}
    >
      {field === null ? (
        <Listbox
          key="fields"
          label={t('filters')}
          options={FILTER_FIELDS.map((name) => ({ value: name, label: t(name) }))}
          value={null}
          isSearchable
          renderOption={({ label }) => (
            <span className={css.field}>
              {label}
              <ChevronRight />
            </span>
          )}
          onChoose={(name) => setField(FILTER_FIELDS.find((one) => one === name) ?? null)}
        />
      ) : (
        <Values board={board} view={view} field={field} onBack={() => setField(null)} />
      )}
    </Popover>
  )
}

interface ValuesProps {
  readonly board: string | null
  readonly view: BoardView
  readonly field: FilterField
  readonly onBack: () => void
}

function Values({ board, view, field, onBack }: ValuesProps) {
  const t = useMessages(filterMessages)
  const language = useLanguage()
  const by = LISTED[field]
  const { data, isPending } = useQuery({ ...groupsQuery(board, by ?? 'assignee'), enabled: by !== undefined })
  const options = optionsOf(field, { language, query: view.query, listed: data?.groups ?? [] })
  return (
    <>
      <button type="button" className={css.back} onClick={onBack}>
        <ArrowLeft />
        <span className={css.backName}>{t(field)}</span>
        <span className={css.hidden}>{t('back')}</span>
      </button>
      {by !== undefined && isPending ? (
        <div className={css.loading}>
          <Skeleton width={70} />
          <Skeleton width={45} />
        </div>
      ) : options.length === 0 ? (
        <p className={css.noValues}>{t('noValues')}</p>
      ) : (
        <Listbox
          key={field}
          label={t(field)}
          options={options}
          value={null}
          isSearchable={options.length > 8}
          renderOption={({ value }) => <Value field={field} option={options.find((one) => one.value === value)} />}
          onChoose={(value) => {
            const chosen = options.find((one) => one.value === value)
            if (chosen !== undefined) view.setQuery(chosen.change)
          }}
        />
      )}
    </>
  )
}

function Value({ field, option }: { readonly field: FilterField; readonly option: FilterOption | undefined }) {
  if (option === undefined) return null
  return (
    <span className={css.value}>
      <span className={css.tick}>{option.isChosen && <Check role="img" aria-label="✓" />}</span>
      {iconOf(field, option.value)}
      <span className={css.valueName}>{option.label}</span>
    </span>
  )
}

function iconOf(field: FilterField, value: string): ReactNode {
  const status = field === 'status' ? STATUSES.find((one) => one === value) : undefined
  if (status !== undefined) return <StatusIcon status={status} />
  return field === 'assignee' && value !== '' ? <Avatar agent={value} /> : null
}
