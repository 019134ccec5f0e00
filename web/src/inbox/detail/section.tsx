import type { ReactNode } from 'react'
import css from './detail.module.css'

interface Props {
  readonly title: ReactNode
  readonly children: ReactNode
}

export const Section = ({ title, children }: Props) => (
  <section className={css.section}>
    <h3 className={css.heading}>{title}</h3>
    {children}
  </section>
)
