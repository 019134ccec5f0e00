import { CircleHelp } from 'lucide-react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { boardsMessages } from './messages.ts'

/** Explains that the board in the URL does not exist: it was deleted, or the URL is wrong. */
export function UnknownBoard({ slug, onBack }: { readonly slug: string; readonly onBack: () => void }) {
  const t = useMessages(boardsMessages)
  return (
    <EmptyState
      icon={<CircleHelp />}
      title={t('unknown', { board: slug })}
      action={<Button onClick={onBack}>{t('back')}</Button>}
    />
  )
}
