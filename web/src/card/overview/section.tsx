import type { ReactNode } from 'react'
import css from './overview.module.css'

interface Props {
  readonly title: string
  /** Facts beside the title. */
  readonly note?: ReactNode
  /** The buttons at the end of the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const Section = ({ title, note, actions, children }: Props) => (
  <section className={css.section} aria-label={title}>
    <div className={css.sectionHead}>
      <h3>{title}</h3>
      {note !== undefined && <span className={css.sectionNote}>{note}</span>}
      {actions !== undefined && <span className={css.sectionActions}>{actions}</span>}
    </div>
    {children}
  </section>
)
