import type { ReactNode } from 'react'
import { Link } from 'wouter'
import css from './item.module.css'

/** A link that looks like the ghost buttons beside it. */
export const ActionLink = ({ href, children }: { readonly href: string; readonly children: ReactNode }) => (
  <Link href={href} className={css.actionLink}>
    {children}
  </Link>
)
