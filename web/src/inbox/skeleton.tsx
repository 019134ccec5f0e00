import { Skeleton } from '../ui/states.tsx'
import { classNames } from '../ui/class-names.ts'
import css from './inbox.module.css'
import item from './item.module.css'

/** Shows items with bars instead of texts, at their final places. */
export const InboxSkeleton = ({ label }: { readonly label: string }) => (
  <div className={css.panes} role="region" aria-busy="true" aria-label={label}>
    <div className={css.list}>
      <div className={css.items}>
        {[72, 54, 66, 48].map((width) => (
          <div key={width} className={classNames(item.item, css.ghost)}>
            <div className={item.meta}>
              <Skeleton width="5.5rem" />
              <Skeleton width="7rem" isSmall />
            </div>
            <Skeleton width={width} />
            <div className={item.actions}>
              <Skeleton width="12rem" isSmall />
            </div>
          </div>
        ))}
      </div>
    </div>
  </div>
)
