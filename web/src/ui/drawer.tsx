import type { ReactNode, Ref } from 'react'
import css from './drawer.module.css'

interface Props {
  readonly label: string
  readonly header: ReactNode
  readonly children: ReactNode
  readonly footer?: ReactNode
  readonly ref?: Ref<HTMLElement>
}

/**
 * A column beside the main part of the page. In a narrow window, the column is the whole page. It does not cover the
 * main part.
 */
export const Drawer = ({ label, header, children, footer, ref }: Props) => (
  <section ref={ref} className={css.drawer} aria-label={label} tabIndex={-1}>
    <header>{header}</header>
    <div className={css.body}>{children}</div>
    {footer !== undefined && (
      <footer className={css.foot} data-foot>
        {footer}
      </footer>
    )}
  </section>
)
