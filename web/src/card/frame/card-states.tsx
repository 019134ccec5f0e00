/** The states of a card that is loading, missing or deleted. */
import { CircleHelp, Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import { ClientError } from '../../../../src/client/index.ts'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { boardPath } from '../../routes/paths.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.ts'
import { cardMessages } from '../messages.ts'
import css from './card-frame.module.css'

export const isMissing = (error: unknown): boolean => error instanceof ClientError && error.code === 'task_not_found'
const isInTrash = (error: unknown): boolean => error instanceof ClientError && error.details['inTrash'] === true

function RestoreButton({ id }: { readonly id: string }) {
  const t = useMessages(cardMessages)
  const language = useLanguage()
  const restore = useCommand({
    run: () => client.undelete({ task: id }),
    cards: () => [id],
    refresh: () => [keys.card(id)],
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
  return (
    <Button look="primary" size="small" writes isBusy={restore.isPending} onClick={() => restore.mutate(undefined)}>
      {t('restore')}
    </Button>
  )
}

/** The bar above an open card that was deleted. */
export function DeletedBar({ id, error }: { readonly id: string; readonly error: unknown }) {
  const t = useMessages(cardMessages)
  const canRestore = error === null || isInTrash(error)
  return (
    <div className={css.deleted} role="alert">
      <b>{canRestore ? t('deletedBar') : t('missingTitle')}</b>
      {canRestore && <RestoreButton id={id} />}
    </div>
  )
}

interface Props {
  readonly board: string
  readonly id: string
  readonly error: unknown
  readonly onRetry: () => void
}

/** The text in place of a card that does not exist. */
export function CardStates({ board, id, error, onRetry }: Props) {
  const t = useMessages(cardMessages)
  if (error === null) return <CardSkeleton />
  if (!isMissing(error)) return <ErrorState error={error} onRetry={onRetry} />
  if (isInTrash(error))
    return (
      <EmptyState icon={<Trash2 />} title={t('deletedTitle')} action={<RestoreButton id={id} />}>
        {t('deletedText')}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<CircleHelp />}
      title={t('missingTitle')}
      action={
        <Link href={boardPath(board)} className={css.link}>
          {t('toBoard')}
        </Link>
      }
    >
      {t('missingText')}
    </EmptyState>
  )
}

function CardSkeleton() {
  const t = useMessages(cardMessages)
  return (
    <div role="region" aria-busy="true" aria-label={t('loading')}>
      <div className={css.boneTabs}>
        {[4, 5, 4, 4.5].map((width, at) => (
          <Skeleton key={at} width={`${width}rem`} isSmall />
        ))}
      </div>
      <div className={css.bones}>
        <Skeleton width="6rem" isSmall />
        {[92, 84, 88, 40].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
        <Skeleton width="5rem" isSmall />
        {[70, 60].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </div>
  )
}
