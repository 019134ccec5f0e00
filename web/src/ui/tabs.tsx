import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import css from './tabs.module.css'

export interface Tab {
  readonly key: string
  readonly label: ReactNode
  readonly count?: number | undefined
  /** A mark after the label, such as a dot while the run is live. */
  readonly mark?: ReactNode
}

interface Props {
  readonly label: string
  readonly tabs: readonly Tab[]
  /** The key of the open tab, which the URL contains. */
  readonly current: string
  readonly onChange: (key: string) => void
  /** The content of the open tab. */
  readonly children: ReactNode
  /** Whether the tabs fill the available height. Then only the panel scrolls, and the tab list stays visible. */
  readonly fills?: boolean
}

export const Tabs = ({ label, tabs, current, onChange, children, fills = false }: Props) => (
  <Radix.Root
    value={current}
    onValueChange={onChange}
    activationMode="manual"
    className={classNames(fills && css.filling)}
  >
    <Radix.List className={css.list} aria-label={label}>
      {tabs.map(({ key, label: name, count, mark }) => (
        <Radix.Trigger key={key} value={key} className={css.tab}>
          {name}
          {count !== undefined && <span className={css.count}>{count}</span>}
          {mark}
        </Radix.Trigger>
      ))}
    </Radix.List>
    <Radix.Content value={current} className={css.panel} tabIndex={-1}>
      {children}
    </Radix.Content>
  </Radix.Root>
)
