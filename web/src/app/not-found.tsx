import { Compass } from 'lucide-react'
import { Link } from 'wouter'
import { useMessages } from '../i18n/use-messages.tsx'
import { ROUTES, boardPath } from '../routes/paths.ts'
import { EmptyState } from '../ui/states.tsx'
import { appMessages } from './messages.ts'
import css from './shell.module.css'

export function NotFound({ board }: { readonly board: string | null }) {
  const t = useMessages(appMessages)
  const home = board === null ? ROUTES.home : boardPath(board)
  return (
    <EmptyState
      icon={<Compass />}
      title={t('notFound')}
      action={
        <Link href={home} className={css.link}>
          {t('openBoard')}
        </Link>
      }
    >
      {t('notFoundMore')}
    </EmptyState>
  )
}
