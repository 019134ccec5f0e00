/** The commands for a series: pause, resume, create a card now, and remove. */
import { useLocation } from 'wouter'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import { useCommand } from '../api/use-command.ts'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { ROUTES, cardPath } from '../routes/paths.ts'
import { showToast } from '../ui/toasts.ts'
import { seriesMessages } from './messages.ts'
import type { SeriesView } from './queries.ts'

export function useSeries({ id, title }: Pick<SeriesView, 'id' | 'title'>) {
  const t = useMessages(seriesMessages)
  const language = useLanguage()
  const [, navigate] = useLocation()
  const refresh = () => [keys.series]
  const onRefusal = (error: unknown): void => void showToast({ kind: 'failed', text: describeError(error, language) })
  const undo = (action: () => void) => ({ label: t('undo'), onChoose: action })
  const pause = useCommand({
    run: (_isUndo: boolean) => client.recurPause({ series: id }),
    refresh,
    onRefusal,
    onDone: (_, isUndo) =>
      void showToast({
        kind: 'done',
        text: t('donePause', { title }),
        ...(!isUndo && { action: undo(() => resume.mutate(true)) }),
      }),
  })
  const resume = useCommand({
    run: (_isUndo: boolean) => client.recurResume({ series: id }),
    refresh,
    onRefusal,
    onDone: (_, isUndo) =>
      void showToast({
        kind: 'done',
        text: t('doneResume', { title }),
        ...(!isUndo && { action: undo(() => pause.mutate(true)) }),
      }),
  })
  const runNow = useCommand({
    run: () => client.recurRunNow({ series: id }),
    refresh,
    onRefusal,
    onDone: (card) =>
      void showToast({
        kind: 'done',
        text: t('doneRunNow', { title: card.title }),
        action: { label: t('openCard'), onChoose: () => navigate(cardPath(card.board, card.id)) },
      }),
  })
  const remove = useCommand({
    run: () => client.recurRemove({ series: id }),
    cards: () => [id],
    refresh,
    onRefusal,
    onDone: () => {
      navigate(ROUTES.recurring)
      showToast({ kind: 'done', text: t('doneRemove', { title }) })
    },
  })
  return { pause, resume, runNow, remove }
}
