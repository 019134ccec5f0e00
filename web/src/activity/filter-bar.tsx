import { X } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { EVENT_GROUPS } from '../../../src/core/event-groups.ts'
import { agentsQuery, boardsQuery, cardQuery } from '../api/queries.ts'
import { actorLabel } from '../cards/event-lines.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Chips } from '../ui/chips.tsx'
import type { Option } from '../ui/listbox-keys.ts'
import { Select } from '../ui/select.tsx'
import { Choices } from '../ui/switch.tsx'
import css from './activity.module.css'
import { choosePeriod } from './filters.ts'
import type { Filters } from './filters.ts'
import { activityMessages, groupMessages, periodMessages } from './messages.ts'
import { PeriodSummary } from './period-summary.tsx'
import { PERIODS } from './periods.ts'

interface Props {
  readonly filters: Filters
  readonly onChange: (change: Partial<Filters>) => void
}

const ALL = 'all'

export function FilterBar({ filters, onChange }: Props) {
  const t = useMessages(activityMessages)
  const tGroup = useMessages(groupMessages)
  const tPeriod = useMessages(periodMessages)
  const { period, group, card, by } = filters
  return (
    <div className={css.filters}>
      <div className={css.line}>
        <Choices
          label={t('periods')}
          choices={[{ key: ALL, label: t('anyTime') }, ...PERIODS.map((key) => ({ key, label: tPeriod(key) }))]}
          current={period ?? ALL}
          onChange={(key) => onChange(choosePeriod(key === ALL ? null : key, filters))}
        />
        <Selects filters={filters} onChange={onChange} />
      </div>
      <div className={css.line}>
        <Chips
          label={t('groups')}
          choices={[{ key: ALL, label: t('allGroups') }, ...EVENT_GROUPS.map((key) => ({ key, label: tGroup(key) }))]}
          current={group ?? ALL}
          onChange={(key) => onChange({ group: key === ALL ? null : key })}
        />
        {card !== null && <CardFilter card={card} onRemove={() => onChange({ card: null })} />}
      </div>
      {period !== null && card === null && by === null && <PeriodSummary board={filters.board} period={period} />}
    </div>
  )
}

function Selects({ filters: { board, by }, onChange }: Props) {
  const t = useMessages(activityMessages)
  const { data: boards = [] } = useQuery(boardsQuery)
  const { data: agents = [] } = useQuery(agentsQuery)
  const people: readonly string[] = by === null || by.startsWith('agent:') ? [] : [by]
  const actors = [...people, ...agents.map(({ name }) => `agent:${name}`)]
  const known = by === null || actors.includes(by) ? actors : [by, ...actors]
  return (
    <div className={css.selects}>
      <Select
        label={t('board')}
        value={board ?? ALL}
        options={[
          { value: ALL, label: t('allBoards') },
          ...boards.map(({ slug, name }): Option => ({ value: slug, label: name })),
        ]}
        onChange={(value) => onChange({ board: value === ALL ? null : value })}
      />
      <Select
        label={t('by')}
        value={by ?? ALL}
        options={[
          { value: ALL, label: t('anyone') },
          ...known.map((value): Option => ({ value, label: actorLabel(value) })),
        ]}
        renderOption={({ value, label }) => (
          <span className={css.actor}>
            {value.startsWith('agent:') && <Avatar agent={label} />}
            {label}
          </span>
        )}
        onChange={(value) => onChange({ by: value === ALL ? null : value })}
      />
    </div>
  )
}

interface CardFilterProps {
  readonly card: string
  readonly onRemove: () => void
}

function CardFilter({ card, onRemove }: CardFilterProps) {
  const t = useMessages(activityMessages)
  const { data } = useQuery(cardQuery(card))
  return (
    <Button size="small" icon={<X />} tip={t('removeFilter')} onClick={onRemove} className={css.cardFilter}>
      <span className={css.cut}>{t('cardFilter', { card: data?.title ?? card })}</span>
    </Button>
  )
}
