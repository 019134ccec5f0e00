/**
 * Builds the filter of a group, and the default values of a card that is created in the group. The functions are pure.
 */
import type { BoardAsked } from '../../api/queries.ts'
import type { Prefill } from '../../routes/create-address.ts'
import type { Grouping } from '../../routes/board-display.ts'

type GroupBy = Exclude<Grouping, 'none'>

export function filterOfGroup(asked: BoardAsked, by: GroupBy, value: string | null): BoardAsked {
  switch (by) {
    case 'assignee':
      return { ...asked, assignees: [value] }
    case 'tenant':
      return value === null ? { ...asked, without: [...(asked.without ?? []), 'tenant'] } : { ...asked, tenant: value }
    case 'workflow':
      return value === null
        ? { ...asked, without: [...(asked.without ?? []), 'workflow'] }
        : { ...asked, workflow: value }
    case 'labels':
      return value === null
        ? { ...asked, without: [...(asked.without ?? []), 'labels'] }
        : { ...asked, labels: [...new Set([...(asked.labels ?? []), value])] }
  }
}

export const defaultsOf = (by: GroupBy, value: string | null): Prefill => (value === null ? {} : { [by]: value })
