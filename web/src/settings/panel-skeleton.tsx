import { Skeleton } from '../ui/states.tsx'
import css from './settings.module.css'

/** Shows a panel with bars instead of rows. */
export const PanelSkeleton = ({ label }: { readonly label: string }) => (
  <div className={css.panel} role="region" aria-busy="true" aria-label={label}>
    {[34, 26, 42, 30].map((width) => (
      <div key={width} className={css.row}>
        <Skeleton width={`${width / 2}rem`} isSmall />
        <Skeleton width="6rem" isSmall />
      </div>
    ))}
  </div>
)
