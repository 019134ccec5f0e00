/** The graph of a board: which cards wait for which, and the status of each card. */
import { useQuery } from '@tanstack/react-query'
import { Network, Plus } from 'lucide-react'
import { Link } from 'wouter'
import { useLive } from '../api/use-live.ts'
import { GraphCanvas } from '../cards/graph/canvas.tsx'
import type { GraphLine } from '../cards/graph/canvas.tsx'
import { useMessages } from '../i18n/use-messages.tsx'
import type { Translate } from '../i18n/use-messages.tsx'
import { ListSkeleton } from '../page/list-skeleton.tsx'
import { PageHeader } from '../page/page-header.tsx'
import { graphPath } from '../routes/paths.ts'
import { useCreateDialog } from '../routes/use-create-dialog.ts'
import { useQueryField } from '../routes/use-query-field.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { CardFace } from './card-face.tsx'
import { holdsBack } from './graph-cards.ts'
import type { Graph } from './graph-cards.ts'
import css from './graph.module.css'
import { graphMessages } from './messages.ts'
import { graphQuery } from './queries.ts'
import { useLinks } from './use-links.ts'

export function GraphScreen({ board }: { readonly board: string }) {
  const t = useMessages(graphMessages)
  const [card] = useQueryField('card')
  const { data, error, refetch } = useQuery(graphQuery(board, card))
  return (
    <>
      <PageHeader
        title={t('title')}
        summary={data !== undefined && data.cards.length > 0 && t('cards', { n: data.cards.length })}
      />
      {data !== undefined ? (
        <Content board={board} card={card} graph={data} />
      ) : error === null ? (
        <ListSkeleton label={t('loading')} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

interface ContentProps {
  readonly board: string
  readonly card: string | null
  readonly graph: Graph
}

function Content({ board, card, graph }: ContentProps) {
  const t = useMessages(graphMessages)
  const isLive = useLive().is === 'live'
  const { add, remove } = useLinks(board, card, graph.cards)
  const middle = graph.cards.find(({ id }) => id === card)
  return (
    <>
      {middle !== undefined && (
        <p className={css.around}>
          {t('aroundCard', { card: middle.title })}
          <Link href={graphPath(board)}>{t('wholeBoard')}</Link>
        </p>
      )}
      {graph.links.length === 0 ? (
        <Nothing isCard={card !== null} />
      ) : (
        <GraphCanvas
          label={t('map')}
          nodes={graph.cards.map((one) => ({
            id: one.id,
            face: <CardFace card={one} board={board} />,
            isMiddle: one.id === card,
            status: one.status,
          }))}
          links={linesOf(graph, t)}
          onLink={isLive ? add : null}
          onUnlink={isLive ? remove : null}
        />
      )}
      <p className={css.hint}>{graph.isCut ? t('cut') : `${t('hint')} ${t('keys')}`}</p>
    </>
  )
}

function linesOf({ cards, links }: Graph, t: Translate<(typeof graphMessages)['en']>): readonly GraphLine[] {
  const byId = new Map(cards.map((card) => [card.id, card]))
  return links.flatMap(({ parent, child, ...link }) => {
    const [before, after] = [byId.get(parent), byId.get(child)]
    if (before === undefined || after === undefined) return []
    const removeLabel = t('unlink', { child: after.title, parent: before.title })
    return [{ parent, child, holdsBack: holdsBack(link, before), removeLabel }]
  })
}

function Nothing({ isCard }: { readonly isCard: boolean }) {
  const t = useMessages(graphMessages)
  const { open } = useCreateDialog()
  return (
    <EmptyState
      icon={<Network />}
      title={t(isCard ? 'emptyCard' : 'emptyTitle')}
      action={
        <Button icon={<Plus />} writes onClick={() => open()}>
          {t('newCard')}
        </Button>
      }
    >
      {t('emptyMore')}
    </EmptyState>
  )
}
