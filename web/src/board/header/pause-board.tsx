/** The button that pauses a board, and the label that shows who paused it. */
import { useQuery } from '@tanstack/react-query'
import { Pause, Play } from 'lucide-react'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { pausesQuery } from '../../api/queries.ts'
import { useCommand } from '../../api/use-command.ts'
import { useNow } from '../../app-state/use-now.ts'
import { actorLabel } from '../../cards/event-lines.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { formatMoment } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { HeaderButton } from '../../page/page-header.tsx'
import { Pill } from '../../ui/pill.tsx'
import { showToast } from '../../ui/toasts.ts'
import css from './header.module.css'
import { headerMessages } from './messages.ts'

function useBoardPause(board: string) {
  const { data = [] } = useQuery(pausesQuery)
  return data.find(({ kind, name }) => kind === 'board' && name === board) ?? null
}

function useResumeBoard(board: string) {
  const language = useLanguage()
  return useCommand<void, unknown>({
    run: () => client.resume({ kind: 'board', name: board }),
    refresh: () => [keys.pauses, keys.board(board)],
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
}

export function PauseBoard({ board }: { readonly board: string }) {
  const t = useMessages(headerMessages)
  const language = useLanguage()
  const pause = useBoardPause(board)
  const resume = useResumeBoard(board)
  const command = useCommand<void, unknown>({
    run: () => client.pause({ kind: 'board', name: board }),
    refresh: () => [keys.pauses, keys.board(board)],
    onDone: () =>
      showToast({
        kind: 'done',
        text: t('isPaused'),
        note: t('pauseMeans'),
        action: { label: t('undo'), onChoose: () => resume.mutate() },
      }),
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
  return pause === null ? (
    <HeaderButton icon={<Pause />} label={t('pause')} writes isWideOnly onClick={() => command.mutate()} />
  ) : (
    <HeaderButton icon={<Play />} label={t('resume')} writes onClick={() => resume.mutate()} />
  )
}

/** The label beside the title while the board is paused. */
export function PausedPill({ board }: { readonly board: string }) {
  const t = useMessages(headerMessages)
  const language = useLanguage()
  const now = useNow()
  const pause = useBoardPause(board)
  if (pause === null) return null
  const { by, since, reason, until } = pause
  const values = { name: by === null ? 'Muster' : actorLabel(by), time: formatMoment(language, since, now) }
  const ends = until === null ? '' : ` ${t('pausedUntil', { time: formatMoment(language, until, now) })}`
  return (
    <span className={css.paused} title={`${reason ?? t('pauseMeans')}${ends}`}>
      <Pill hue="blocked" icon={<Pause />}>
        {t('pausedBy', values)}
      </Pill>
    </span>
  )
}
