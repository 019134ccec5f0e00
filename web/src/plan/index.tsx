/** The page with the plan for a card in triage: ask the planner, change its plan, and apply it. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { isInTriage } from '../../../src/core/status.ts'
import { cardQuery } from '../api/queries.ts'
import { usePlan, useQuestion } from '../cards/plans/planner.ts'
import { statusMessages } from '../cards/status-messages.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { ListSkeleton } from '../page/list-skeleton.tsx'
import { PageHeader } from '../page/page-header.tsx'
import { cardPath } from '../routes/paths.ts'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { Asking } from './asking.tsx'
import { Editor } from './editor.tsx'
import type { IdeaCard } from './idea-card.ts'
import { planMessages } from './messages.ts'
import css from './plan.module.css'
import { Start } from './start.tsx'

interface Props {
  readonly board: string
  readonly card: string
}

export function PlanScreen({ board, card: id }: Props) {
  const t = useMessages(planMessages)
  const { data: card, error, refetch } = useQuery(cardQuery(id))
  return (
    <>
      <PageHeader
        title={t('title')}
        summary={card?.title}
        isPlain
        actions={
          <Link href={cardPath(card?.board ?? board, card?.id ?? id)} className={css.openCard}>
            {t('openCard')}
          </Link>
        }
      />
      {card !== undefined ? (
        <Content card={card} />
      ) : error === null ? (
        <ListSkeleton label={t('loading')} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

function Content({ card }: { readonly card: IdeaCard }) {
  const question = useQuestion(card.id)
  const draft = usePlan(card.id)
  if (question?.is === 'asking') return <Asking card={card} question={question} />
  const failure = question?.is === 'failed' ? question : null
  if (draft !== null) return <Editor card={card} draft={draft} failure={failure} />
  if (!isInTriage(card.status) || card.deletedAt !== null) return <NoLongerIdea card={card} />
  return <Start card={card} failure={failure} />
}

function NoLongerIdea({ card }: { readonly card: IdeaCard }) {
  const t = useMessages(planMessages)
  const tStatus = useMessages(statusMessages)
  return (
    <EmptyState
      title={t('noLongerIdea')}
      action={
        <Link href={cardPath(card.board, card.id)} className={css.openCard}>
          {t('openCard')}
        </Link>
      }
    >
      {t('noLongerIdeaMore', { status: tStatus(card.status) })}
    </EmptyState>
  )
}
