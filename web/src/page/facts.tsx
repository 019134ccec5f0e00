import type { ReactNode } from 'react'
import css from './facts.module.css'

export interface FactRow {
  readonly name: string
  /** Null hides the row. */
  readonly value: ReactNode
  readonly isCode?: boolean
}

/** Shows names and values in a list. */
export const Facts = ({ facts }: { readonly facts: readonly FactRow[] }) => (
  <dl className={css.facts}>
    {facts
      .filter(({ value }) => value !== null)
      .map(({ name, value, isCode = false }) => (
        <div key={name} className={css.fact}>
          <dt>{name}</dt>
          <dd className={isCode ? css.code : undefined}>{value}</dd>
        </div>
      ))}
  </dl>
)

interface FigureRow {
  readonly name: string
  readonly value: ReactNode
  readonly note?: ReactNode
}

/** Shows large numbers side by side, each below its name. */
export const Figures = ({ figures }: { readonly figures: readonly FigureRow[] }) => (
  <dl className={css.figures}>
    {figures.map(({ name, value, note }) => (
      <div key={name} className={css.figure}>
        <dt>{name}</dt>
        <dd className={css.number}>{value}</dd>
        {note !== undefined && <dd className={css.note}>{note}</dd>}
      </div>
    ))}
  </dl>
)
