import { useMessages } from '../i18n/use-messages.tsx'
import { Skeleton } from '../ui/states.tsx'
import columns from './board-columns.module.css'
import card from './card-face.module.css'
import column from './column.module.css'
import { boardMessages } from './messages.ts'
import css from './board-skeleton.module.css'

/** The widths of the bars on each card, in percent. */
const CARDS = [
  [
    [86, 62, 38],
    [70, 80, 38],
    [78, 54, 44],
  ],
  [
    [90, 70, 38],
    [66, 58, 42],
  ],
  [
    [82, 74, 46],
    [60, 66, 38],
    [74, 50, 40],
    [68, 78, 36],
  ],
  [[76, 48, 38]],
  [
    [54, 84, 38],
    [70, 60, 38],
  ],
] as const

/** Shows the final layout of the board with bars instead of texts. */
export function BoardSkeleton() {
  const t = useMessages(boardMessages)
  return (
    <div className={columns.columns} role="region" aria-busy="true" aria-label={t('loading')}>
      <div className={column.rail} />
      {CARDS.map((cards) => (
        <div key={cards.join(' ')} className={column.column}>
          <div className={column.head}>
            <Skeleton width="4.5rem" />
          </div>
          <div className={css.cards}>
            {cards.map((bars) => (
              <div key={bars.join(' ')} className={card.card}>
                {bars.map((width, at) => (
                  <Skeleton key={width} width={width} isSmall={at > 0} />
                ))}
              </div>
            ))}
          </div>
        </div>
      ))}
      <div className={column.rail} />
    </div>
  )
}
