import { Skeleton } from '../ui/states.tsx'
import { classNames } from '../ui/class-names.ts'
import css from './rows.module.css'

const WIDTHS = [62, 48, 70, 54]

/** Shows a list with bars instead of texts. */
export const ListSkeleton = ({ label }: { readonly label: string }) => (
  <div className={css.rows} role="region" aria-busy="true" aria-label={label}>
    {WIDTHS.map((width) => (
      <div key={width} className={classNames(css.row, css.ghost)}>
        <Skeleton width={width} />
        <Skeleton width="3rem" isSmall />
        <Skeleton width={width / 2} isSmall />
      </div>
    ))}
  </div>
)
