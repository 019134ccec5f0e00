/** Offers a card for each agent that a person mentions in a comment, or shows the card that the comment created. */
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useContext } from 'react'
import { Link } from 'wouter'
import { isAgentName } from '../../../../src/core/actor.ts'
import { mentionsIn } from '../../../../src/core/mention.ts'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { agentsQuery, boardsQuery } from '../../api/queries.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { cardPath } from '../../routes/paths.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.ts'
import type { CardDetails } from '../card-details.ts'
import { ReadOnlyReason } from '../frame/use-read-only.ts'
import { relativesQuery } from '../overview/queries.ts'
import type { Comment } from './comment-list.ts'
import css from './comments.module.css'
import { findOffers } from './find-offers.ts'
import { commentMessages } from './messages.ts'

interface Props {
  readonly card: CardDetails
  readonly comment: Comment
}

/** Most comments mention no agent, so the queries are started only for the others. */
export const MentionOffers = ({ card, comment }: Props) =>
  comment.runId !== null || isAgentName(comment.author) || mentionsIn(comment.body).length === 0 ? null : (
    <Offers card={card} comment={comment} />
  )

function Offers({ card, comment }: Props) {
  const t = useMessages(commentMessages)
  const { data: agents = [] } = useQuery(agentsQuery)
  const { data: boards = [] } = useQuery(boardsQuery)
  const { data: relatives } = useQuery(relativesQuery(card))
  const mode = boards.find(({ slug }) => slug === card.board)?.settings.mentions ?? 'none'
  const offers = relatives === undefined ? [] : findOffers(comment, agents, relatives.children)
  const shown = offers.filter(({ card: made }) => made !== null || mode !== 'none')
  if (shown.length === 0) return null
  return (
    <p className={css.buttons}>
      {shown.map(({ agent, card: made }) =>
        made === null ? (
          <Offer key={agent} card={card} comment={comment} agent={agent} />
        ) : (
          <Link key={agent} href={cardPath(card.board, made.id)}>
            {t('cardForAgent', { agent, title: made.title })}
          </Link>
        ),
      )}
    </p>
  )
}

function Offer({ card, comment, agent }: Props & { readonly agent: string }) {
  const t = useMessages(commentMessages)
  const language = useLanguage()
  const readOnly = useContext(ReadOnlyReason)
  const create = useCommand({
    run: () => client.mention({ comment: comment.id, agent }),
    cards: () => [card.id],
    refresh: () => [keys.card(card.id), relativesQuery(card).queryKey],
    onRefusal: (error) => void showToast({ kind: 'failed', text: describeError(error, language) }),
  })
  return (
    <Button
      size="small"
      icon={<Plus />}
      disabledReason={readOnly}
      writes
      isBusy={create.isPending}
      onClick={() => create.mutate(undefined)}
    >
      {t('createForAgent', { agent })}
    </Button>
  )
}
