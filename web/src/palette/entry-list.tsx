import { useMessages } from '../i18n/use-messages.tsx'
import { Kbd } from '../ui/kbd.tsx'
import menu from '../ui/menu.module.css'
import type { Entry, EntryGroup } from './entries.ts'
import { paletteMessages } from './messages.ts'
import css from './palette.module.css'

interface Props {
  readonly id: string
  readonly groups: readonly EntryGroup[]
  /** The index of the active entry, counted over all groups. */
  readonly active: number
  readonly onPoint: (at: number) => void
  readonly onChoose: (entry: Entry) => void
}

export function EntryList({ id, groups, active, onPoint, onChoose }: Props) {
  const t = useMessages(paletteMessages)
  const starts = groups.map((_, at) => groups.slice(0, at).reduce((sum, { entries }) => sum + entries.length, 0))
  return groups.map(({ name, entries }, nth) => (
    <div key={name} role="group" aria-label={t(name)} className={css.group}>
      <div className={menu.heading} aria-hidden="true">
        {t(name)}
      </div>
      {entries.map((entry, within) => {
        const at = (starts[nth] ?? 0) + within
        return (
          // The text field handles the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={entry.value}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            data-active={at === active}
            className={menu.item}
            onPointerMove={() => onPoint(at)}
            onClick={() => onChoose(entry)}
          >
            {entry.icon}
            <span className={css.label}>{entry.label}</span>
            {entry.note !== undefined && <span className={css.note}>{entry.note}</span>}
            {entry.keys !== undefined && (
              <span className={css.entryKeys}>
                <Kbd keys={entry.keys} />
              </span>
            )}
          </div>
        )
      })}
    </div>
  ))
}
