import { SlidersHorizontal } from 'lucide-react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { HeaderButton } from '../../page/page-header.tsx'
import { Field } from '../../ui/field.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { GROUPINGS } from '../../routes/board-display.ts'
import type { Display } from '../../routes/board-display.ts'
import css from './filters.module.css'
import { filterMessages, groupingMessages, sortMessages } from './messages.ts'
import { SORT_CHOICES } from '../../routes/board-sorts.ts'

interface Props {
  readonly display: Display
  readonly onChange: (change: Partial<Display>) => void
}

export function DisplayMenu({ display, onChange }: Props) {
  const t = useMessages(filterMessages)
  const tGroup = useMessages(groupingMessages)
  const tSort = useMessages(sortMessages)
  return (
    <Popover
      trigger={<HeaderButton isQuiet isWideOnly icon={<SlidersHorizontal />} label={t('display')} />}
      label={t('display')}
      align="end"
    >
      <div className={css.display}>
        <Field label={t('group')}>
          {(control) => (
            <Select
              {...control}
              label={t('group')}
              value={display.group}
              options={GROUPINGS.map((value) => ({ value, label: tGroup(value) }))}
              onChange={(value) => onChange({ group: GROUPINGS.find((one) => one === value) ?? 'none' })}
            />
          )}
        </Field>
        <Field label={t('sort')}>
          {(control) => (
            <Select
              {...control}
              label={t('sort')}
              value={display.sort}
              options={SORT_CHOICES.map((value) => ({ value, label: tSort(value) }))}
              onChange={(value) => onChange({ sort: SORT_CHOICES.find((one) => one === value) ?? 'start' })}
            />
          )}
        </Field>
        <Switch isOn={display.isCompact} onChange={(isCompact) => onChange({ isCompact })}>
          {t('compact')}
        </Switch>
        <Switch isOn={display.showsEmpty} onChange={(showsEmpty) => onChange({ showsEmpty })}>
          {t('showEmpty')}
        </Switch>
      </div>
    </Popover>
  )
}
