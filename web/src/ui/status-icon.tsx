/** An icon for each status, with its own shape and hue, so that the status is recognisable without colour. */
import type { ReactNode } from 'react'
import type { Status } from '../../../src/core/vocabulary.ts'
import { classNames } from './class-names.ts'
import { hueOf } from './status-hue.ts'
import css from './status-icon.module.css'

const Ring = ({ dashes }: { readonly dashes?: string }) => <circle cx="8" cy="8" r="5.5" strokeDasharray={dashes} />

const SHAPES: Readonly<Record<Status, ReactNode>> = {
  triage: <Ring dashes="1 3.320" />,
  todo: <Ring dashes="3 2.760" />,
  scheduled: (
    <>
      <Ring dashes="3 2.760" />
      <path d="M8 5.500V8l1.600 1.200" />
    </>
  ),
  ready: <Ring />,
  running: (
    <>
      <Ring />
      <path className={css.inner} d="M8 4.800a3.200 3.200 0 0 1 0 6.400z" />
    </>
  ),
  review: (
    <>
      <Ring />
      <path className={css.inner} d="M8 8V4.800A3.200 3.200 0 1 1 4.800 8z" />
    </>
  ),
  blocked: (
    <>
      <Ring />
      <path className={css.bar} d="M5.800 8h4.400" />
    </>
  ),
  done: (
    <>
      <circle className={css.full} cx="8" cy="8" r="5.500" />
      <path className={css.tick} d="m5.600 8.200 1.700 1.700 3.200-3.700" />
    </>
  ),
  archived: <path d="M2.800 4h10.400v2.800H2.800zM3.800 6.800V13h8.400V6.800M6.500 9.500h3" />,
}

interface Props {
  readonly status: Status
  /** The name of the status, if no text beside the icon contains it. */
  readonly label?: string
}

export const StatusIcon = ({ status, label }: Props) => (
  <svg
    viewBox="0 0 16 16"
    className={classNames(css.icon, css[hueOf(status)])}
    {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
  >
    {SHAPES[status]}
  </svg>
)
