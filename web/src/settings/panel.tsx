/** The layout of the settings: panels with a heading, and rows with a name and a control. */
import type { ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'
import css from './settings.module.css'

interface PanelProps {
  readonly title: ReactNode
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  /** A sentence below the title of the panel. */
  readonly about?: ReactNode
  readonly children?: ReactNode
}

export const Panel = ({ title, actions, about, children }: PanelProps) => (
  <section className={css.panel}>
    <header className={css.panelHead}>
      <h2 className={css.heading}>{title}</h2>
      {actions !== undefined && <div className={css.panelActions}>{actions}</div>}
      {about !== undefined && <p className={css.about}>{about}</p>}
    </header>
    {children}
  </section>
)

interface RowProps {
  readonly name: ReactNode
  readonly note?: ReactNode
  readonly children?: ReactNode
  readonly isCode?: boolean
}

export const Row = ({ name, note, children, isCode = false }: RowProps) => (
  <div className={css.row}>
    <div className={css.rowText}>
      <span>{name}</span>
      {note !== undefined && <span className={css.note}>{note}</span>}
    </div>
    {children !== undefined && <div className={classNames(css.control, isCode && css.code)}>{children}</div>}
  </div>
)
