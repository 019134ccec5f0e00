import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { cardPath } from '../routes/paths.ts'
import { isCardItem } from './card-item.ts'
import type { InboxItem } from '../api/queries.ts'
import css from './item.module.css'

interface Props {
  readonly item: InboxItem
  /** The heading. If it replaces the title of the card, the title appears beside the agent. */
  readonly children?: ReactNode
}

/** The id of the HTML element that names an item. */
export const headingId = (id: string): string => `item-${id}-name`

export const ItemHeading = ({ item, children }: Props) => (
  <h2 className={css.heading} id={headingId(item.id)}>
    {children ?? (isCardItem(item) ? <Link href={cardPath(item.board, item.id)}>{item.task.title}</Link> : item.id)}
  </h2>
)
