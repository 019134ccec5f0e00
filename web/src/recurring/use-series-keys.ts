import { useLocation } from 'wouter'
import { useMessages } from '../i18n/use-messages.tsx'
import { ROUTES, seriesPath } from '../routes/paths.ts'
import { useShortcuts } from '../shortcuts/use-shortcut.tsx'
import { seriesMessages } from './messages.ts'

interface Given {
  readonly ids: readonly string[]
  readonly open: string | null
  readonly onAdd: () => void
  readonly onEdit: (id: string) => void
}

/** The keys of the page: `j` and `k` open the next and the previous series, `n` adds a series, `e` edits the open one. */
export function useSeriesKeys({ ids, open, onAdd, onEdit }: Given): void {
  const t = useMessages(seriesMessages)
  const [, navigate] = useLocation()
  const at = open === null ? -1 : ids.indexOf(open)
  const go = (to: string | undefined) => (): void => {
    if (to !== undefined) navigate(seriesPath(to), { replace: open !== null })
  }
  const group = t('title')
  useShortcuts([
    { keys: 'n', name: t('add'), group, onPress: onAdd },
    { keys: 'j', name: t('next'), group, onPress: go(ids[at + 1]) },
    { keys: 'k', name: t('previous'), group, onPress: go(ids[at < 0 ? ids.length - 1 : at - 1]) },
    ...(open === null
      ? []
      : [
          { keys: 'e', name: t('edit'), group, onPress: () => onEdit(open) },
          { keys: 'escape', name: t('close'), group, onPress: () => navigate(ROUTES.recurring) },
        ]),
  ])
}
