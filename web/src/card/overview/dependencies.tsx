/** Shows the cards that this card waits for, and the cards that wait for this card. */
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useContext, useState } from 'react'
import { Link } from 'wouter'
import type { Status } from '../../../../src/core/vocabulary.ts'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { useCommand } from '../../api/use-command.ts'
import { FindCard } from '../../cards/find-card.tsx'
import { statusMessages } from '../../cards/status-messages.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { cardPath, graphPath } from '../../routes/paths.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { TokenFrame } from '../../ui/tokens.tsx'
import { showToast } from '../../ui/toasts.ts'
import type { CardDetails, TabProps } from '../card-details.ts'
import { ReadOnlyReason } from '../frame/use-read-only.ts'
import { overviewMessages } from './messages.ts'
import css from './overview.module.css'
import { relativesQuery } from './queries.ts'
import { Section } from './section.tsx'

type Side = 'parents' | 'children'

export const Dependencies = ({ card }: TabProps) => (
  <>
    <Relatives card={card} side="parents" />
    <Relatives card={card} side="children" />
    <GraphLink card={card} />
  </>
)

function GraphLink({ card }: TabProps) {
  const t = useMessages(overviewMessages)
  if (card.parents.length + card.children.length === 0) return null
  return (
    <p className={css.hint}>
      <Link href={graphPath(card.board, card.id)}>{t('openGraph')}</Link>
    </p>
  )
}

interface Relative {
  readonly id: string
  readonly title: string
  readonly status: Status
}

const ends = (card: CardDetails, side: Side, other: string) =>
  side === 'parents' ? { parent: other, child: card.id } : { parent: card.id, child: other }

interface SideProps {
  readonly card: CardDetails
  readonly side: Side
}

function Relatives({ card, side }: SideProps) {
  const t = useMessages(overviewMessages)
  const readOnly = useContext(ReadOnlyReason)
  const language = useLanguage()
  const [isAdding, setIsAdding] = useState(false)
  const { data, error } = useQuery(relativesQuery(card))
  const listed: readonly Relative[] = data?.[side] ?? []
  const ids = card[side]
  const rest = ids.length - ids.filter((id) => listed.some((one) => one.id === id)).length
  const shown = listed.filter(({ id }) => ids.includes(id))
  return (
    <Section
      title={t(side)}
      note={ids.length > 0 ? t('cards', { n: ids.length }) : t(side === 'parents' ? 'noParents' : 'noChildren')}
      actions={
        <Button
          size="small"
          look="ghost"
          icon={<Plus />}
          disabledReason={readOnly}
          writes
          aria-expanded={isAdding}
          onClick={() => setIsAdding(!isAdding)}
        >
          {t(side === 'parents' ? 'addParent' : 'addChild')}
        </Button>
      }
    >
      {isAdding && <AddRelative card={card} side={side} />}
      {shown.length > 0 && (
        <ul className={css.box}>
          {shown.map((other) => (
            <RelativeRow key={other.id} card={card} side={side} other={other} />
          ))}
        </ul>
      )}
      {data === undefined && error !== null && <p className={css.fault}>{describeError(error, language)}</p>}
      {data !== undefined && rest > 0 && <p className={css.hint}>{t('moreCards', { n: rest })}</p>}
    </Section>
  )
}

const relativeKeys = (card: CardDetails) => [keys.card(card.id), relativesQuery(card).queryKey]

function AddRelative({ card, side }: SideProps) {
  const t = useMessages(overviewMessages)
  const language = useLanguage()
  const [fault, setFault] = useState<string | null>(null)
  const link = useCommand({
    run: ({ id }: Relative) => client.link(ends(card, side, id)),
    cards: ({ id }) => [card.id, id],
    refresh: () => relativeKeys(card),
    onDone: () => setFault(null),
    onRefusal: (error, { title }) =>
      setFault(error.code === 'cycle' ? t(`cycle_${side}`, { card: title }) : describeError(error, language)),
  })
  return (
    <>
      <TokenFrame>
        <FindCard
          label={t(side === 'parents' ? 'addParent' : 'addChild')}
          board={card.board}
          without={new Set([card.id, ...card[side]])}
          onChoose={(other) => link.mutate(other)}
          {...(fault !== null && { 'aria-invalid': true as const })}
        />
      </TokenFrame>
      {fault !== null && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
    </>
  )
}

function RelativeRow({ card, side, other }: SideProps & { readonly other: Relative }) {
  const t = useMessages(overviewMessages)
  const tStatus = useMessages(statusMessages)
  const language = useLanguage()
  const readOnly = useContext(ReadOnlyReason)
  const both = ends(card, side, other.id)
  const onRefusal = (error: unknown): void => void showToast({ kind: 'failed', text: describeError(error, language) })
  const relink = useCommand({ run: () => client.link(both), refresh: () => relativeKeys(card), onRefusal })
  const unlink = useCommand({
    run: () => client.unlink(both),
    cards: () => [card.id, other.id],
    refresh: () => relativeKeys(card),
    onRefusal,
    onDone: () =>
      showToast({
        kind: 'done',
        text: t('unlinked', { card: other.title }),
        action: { label: t('undo'), onChoose: () => relink.mutate(undefined) },
      }),
  })
  return (
    <li className={css.line}>
      <StatusIcon status={other.status} label={tStatus(other.status)} />
      <Link className={css.name} href={cardPath(card.board, other.id)} title={other.title}>
        {other.title}
      </Link>
      <span className={css.end}>{tStatus(other.status)}</span>
      <IconButton
        size="small"
        icon={<X />}
        label={t('unlink', { card: other.title })}
        disabledReason={readOnly}
        writes
        isBusy={unlink.isPending}
        onClick={() => unlink.mutate(undefined)}
      />
    </li>
  )
}
