/** Shows the transcript of an attempt, or its raw log. The attempt, the filter and the search are in the URL. */
import { FileX } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { ClientError } from '../../../../src/client/index.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { useQueryField } from '../../routes/use-query-field.ts'
import { useShortcuts } from '../../shortcuts/use-shortcut.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import type { CardDetails, CardRun } from '../card-details.ts'
import { transcriptMessages } from './messages.ts'
import { RowList } from './row-list.tsx'
import { agentRuns } from './row-look.ts'
import type { Unfolded } from './row-look.ts'
import { RowsSkeleton } from './rows-skeleton.tsx'
import { stepTo } from './step-to.ts'
import { TranscriptBar } from './transcript-bar.tsx'
import css from './transcript-panel.module.css'
import { useLogMenu } from './use-log-menu.tsx'
import { useMatches, useRows } from './use-rows.ts'
import type { RowsShown, RowsSource } from './use-rows.ts'

const SHOWN: readonly RowsShown[] = ['all', 'messages', 'changes', 'raw']
const rowsShown = (named: string | null): RowsShown => SHOWN.find((show) => show === named) ?? 'all'

interface Props {
  readonly card: CardDetails
  readonly run: CardRun
}

export function TranscriptPanel({ card, run }: Props) {
  const [named, setNamed] = useQueryField('rows')
  const show = rowsShown(named)
  const source = useMemo(() => ({ task: card.id, run: run.id, show }), [card.id, run.id, show])
  return (
    <Transcript
      key={`${run.id} ${show}`}
      card={card}
      run={run}
      source={source}
      onShow={(next) => setNamed(next === 'all' ? null : next)}
    />
  )
}

interface TranscriptProps extends Props {
  readonly source: RowsSource
  readonly onShow: (show: RowsShown) => void
}

function Transcript({ card, run, source, onShow }: TranscriptProps) {
  const t = useMessages(transcriptMessages)
  const { pages, state } = useRows(source, card)
  useEffect(() => () => pages.stop(), [pages])
  const [wraps, setWraps] = useState(source.show !== 'raw')
  const [unfolded, setUnfolded] = useState<Unfolded>('auto')
  const [, setRun] = useQueryField('run')
  const search = useSearch(source, state.total)
  const more = useLogMenu({ source, attempt: run.attempt, onShow, wraps, setWraps, setUnfolded })
  const runs = agentRuns(card.runs)
  const attempts = runs.toReversed().map(({ id, attempt }) => ({
    key: id,
    label: t('attempt', { attempt }),
    isChecked: id === run.id,
    onChoose: () => setRun(id === runs.at(-1)?.id ? null : String(attempt)),
  }))
  return (
    <div className={css.panel}>
      <TranscriptBar
        {...search.bar}
        show={source.show}
        onShow={onShow}
        attempt={run.attempt}
        attempts={attempts.length > 1 ? attempts : []}
        more={more}
      />
      {state.error !== null && !state.isLoaded ? (
        <NoTranscript error={state.error} onRetry={() => pages.refresh()} />
      ) : !state.isLoaded ? (
        <RowsSkeleton />
      ) : state.total === 0 ? (
        <NoRows isFiltered={source.show === 'messages' || source.show === 'changes'} onAll={() => onShow('all')} />
      ) : (
        <RowList
          card={card}
          run={run}
          source={source}
          pages={pages}
          state={state}
          wraps={wraps}
          unfolded={unfolded}
          found={search.found}
        />
      )}
    </div>
  )
}

/** The state of the search. The URL stores the searched text, and the server finds the matches. */
function useSearch(source: RowsSource, total: number) {
  const t = useMessages(transcriptMessages)
  const field = useRef<HTMLInputElement>(null)
  const [named, setNamed] = useQueryField('search')
  const [text, setText] = useState(named ?? '')
  const matches = useMatches(source, text, total)
  // The row number of the chosen match. An index into the matches would shift when earlier matches appear.
  const [chosen, setChosen] = useState<number | null>(null)
  const current = matches === null || matches.length === 0 ? null : (chosen ?? matches[0] ?? null)
  const at = current === null || matches === null ? null : matches.indexOf(current)
  const change = (next: string): void => {
    setText(next)
    setChosen(null)
    setNamed(next, { adds: false })
  }
  const step = (by: 1 | -1): void => setChosen(stepTo(matches ?? [], current, by))
  const group = t('group')
  useShortcuts([
    { keys: '/', name: t('search'), group, onPress: () => field.current?.select() },
    { keys: 'n', name: t('nextMatch'), group, onPress: () => step(1) },
    { keys: 'shift+n', name: t('previousMatch'), group, onPress: () => step(-1) },
  ])
  const found = useMemo(
    () => ({ find: matches === null ? '' : text.trim(), matches: new Set(matches), current }),
    [matches, text, current],
  )
  return {
    found,
    bar: { field, text, onText: change, matches: matches?.length ?? null, at, onStep: step },
  }
}

const REASONS = { manual: 'manual', not_started: 'notStarted', removed: 'removed' } as const

function NoTranscript({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const t = useMessages(transcriptMessages)
  if (!(error instanceof ClientError) || error.code !== 'run_not_found')
    return <ErrorState error={error} onRetry={onRetry} />
  const { reason, host, machine } = error.details
  const known = Object.entries(REASONS).find(([key]) => key === reason)?.[1]
  return (
    <EmptyState icon={<FileX />} title={t('failedTitle')}>
      {reason === 'elsewhere' && t('elsewhere', { machine: String(host ?? machine) })}
      {known !== undefined && t(known)}
      {known === undefined && reason !== 'elsewhere' && error.message}
    </EmptyState>
  )
}

function NoRows({ isFiltered, onAll }: { readonly isFiltered: boolean; readonly onAll: () => void }) {
  const t = useMessages(transcriptMessages)
  if (!isFiltered) return <EmptyState title={t('noOutput')}>{t('noOutputText')}</EmptyState>
  return (
    <EmptyState title={t('noRows')} action={<Button onClick={onAll}>{t('showEverything')}</Button>}>
      {t('noRowsText')}
    </EmptyState>
  )
}
