/** Shows the active filters, each with a button that removes it. */
import { X } from 'lucide-react'
import { useNow } from '../../app-state/use-now.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { SaveView } from '../../page/save-view.tsx'
import { viewMessages } from '../../page/view-messages.ts'
import { chipsOf } from './chips.ts'
import { FilterMenu } from './filter-menu.tsx'
import css from './filters.module.css'
import { filterMessages } from './messages.ts'
import type { BoardView } from './use-board-view.ts'

interface Props {
  readonly board: string | null
  readonly view: BoardView
}

export function FilterBar({ board, view }: Props) {
  const t = useMessages(filterMessages)
  const tView = useMessages(viewMessages)
  const language = useLanguage()
  const now = useNow()
  const chips = chipsOf(view.query, { language, now })
  if (chips.length === 0) return null
  return (
    <div className={css.bar} role="group" aria-label={t('filters')}>
      {chips.map(({ field, name, value, remove }) => (
        <button
          key={field}
          type="button"
          className={css.on}
          title={`${name} ${value}`}
          aria-label={t('removeFilter', { name: `${name} ${value}` })}
          onClick={() => view.setQuery(remove)}
        >
          {name} <b className={css.chipValue}>{value}</b>
          <X />
        </button>
      ))}
      <FilterMenu board={board} view={view} isChip />
      <span className={css.push} />
      <SaveView
        board={board}
        trigger={
          <button type="button" className={css.chip}>
            {tView('save')}
          </button>
        }
      />
      <button type="button" className={css.chip} onClick={view.clear}>
        {t('clear')}
      </button>
    </div>
  )
}
