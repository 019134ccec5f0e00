import type { ReactNode, Ref } from 'react'
import css from './drawer.module.css'

interface Props {
  readonly label: string
  readonly header: ReactNode
  readonly children: ReactNode
  readonly footer?: ReactNode
  readonly ref?: Ref<HTMLElement>
}

/** A column beside the main part of the page, which it never covers. In a narrow window, the column fills the page. */
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
