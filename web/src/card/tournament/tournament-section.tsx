/** Shows the entries of a tournament side by side, with a button that picks the winner. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { cardPath } from '../../routes/paths.ts'
import { Skeleton } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.ts'
import type { TabProps } from '../card-details.ts'
import overview from '../overview/overview.module.css'
import { Section } from '../overview/section.tsx'
import { EntryCard } from './entry-card.tsx'
import { tournamentMessages } from '../../cards/tournament-messages.ts'
import { tournamentQuery } from '../../cards/tournament-query.ts'
import type { EntryView, TournamentView } from '../../cards/tournament-query.ts'
import css from './tournament.module.css'

/** The comparison on the card of a tournament, or a link to it on the card of an entry. */
export function TournamentSection({ card }: TabProps) {
  const t = useMessages(tournamentMessages)
  if (card.tournament !== null) return <Comparison card={card} />
  if (card.entryOf === null) return null
  return (
    <p className={overview.hint}>
      {t('inEntryOf')} <Link href={cardPath(card.board, card.entryOf)}>{t('openTournament')}</Link>
    </p>
  )
}

function Comparison({ card }: TabProps) {
  const t = useMessages(tournamentMessages)
  const language = useLanguage()
  const [fault, setFault] = useState<string | null>(null)
  const { data, error } = useQuery(tournamentQuery(card))
  const pick = useCommand<EntryView, unknown>({
    run: (entry) => client.pick({ task: card.id, entry: entry.id }),
    cards: () => [card.id],
    refresh: () => [keys.card(card.id), keys.board(card.board), keys.inbox, keys.summary],
    onDone: (_, { agent }) => {
      setFault(null)
      showToast({ kind: 'done', text: t('picked', { agent: agent ?? t('unassigned') }) })
    },
    onRefusal: (refusal) => setFault(describeError(refusal, language)),
  })
  return (
    <Section title={t('title')} note={data === undefined ? undefined : <Note tournament={data} />}>
      {fault !== null && (
        <p className={overview.fault} role="alert">
          {fault}
        </p>
      )}
      {data === undefined && error === null && <Skeleton width={80} />}
      {data === undefined && error !== null && <p className={overview.fault}>{describeError(error, language)}</p>}
      {data !== undefined && (
        <ul className={css.entries}>
          {data.entries.map((entry) => (
            <EntryCard
              key={entry.id}
              board={card.board}
              entry={entry}
              isBusy={pick.isPending && pick.variables?.id === entry.id}
              onPick={() => pick.mutate(entry)}
            />
          ))}
        </ul>
      )}
      {data?.pick?.reason != null && <p className={css.reason}>{data.pick.reason}</p>}
      {data !== undefined && data.pick === null && data.failure !== null && (
        <p className={overview.failure}>{t('failed', { reason: data.failure })}</p>
      )}
    </Section>
  )
}

function Note({ tournament: { pick, picker, entries } }: { readonly tournament: TournamentView }) {
  const t = useMessages(tournamentMessages)
  const playing = entries.filter(({ state }) => state === 'playing').length
  if (playing > 0) return <>{t('waiting', { n: playing, total: entries.length })}</>
  if (pick !== null) return <>{t('wonBy', { agent: pick.agent ?? t('unassigned'), by: pick.by })}</>
  return <>{t(picker === 'judge' ? 'byJudge' : 'byPerson')}</>
}
