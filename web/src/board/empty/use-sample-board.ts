import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { DEFAULT_BOARD } from '../../../../src/core/ids.ts'
import { keys } from '../../api/keys.ts'
import { boardsQuery } from '../../api/queries.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { boardPath } from '../../routes/paths.ts'
import { showToast } from '../../ui/toasts.ts'
import { emptyMessages } from './messages.ts'
import { SAMPLE_BOARD, createSampleBoard, removeSampleBoard } from './sample-board.ts'

/** Creates and shows the sample board. If the sample board exists, only shows it. */
export function useLoadSample() {
  const t = useMessages(emptyMessages)
  const language = useLanguage()
  const [, navigate] = useLocation()
  const { data: boards = [] } = useQuery(boardsQuery)
  const exists = boards.some(({ slug, archivedAt }) => slug === SAMPLE_BOARD && archivedAt === null)
  const load = useCommand<void, unknown>({
    run: () => createSampleBoard(language, { name: t('sampleBoard'), about: t('sampleAbout') }),
    refresh: () => [keys.boards],
    onDone: () => navigate(boardPath(SAMPLE_BOARD)),
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
  return {
    exists,
    isBusy: load.isPending,
    load: () => (exists ? navigate(boardPath(SAMPLE_BOARD)) : load.mutate()),
  }
}

export function useRemoveSample() {
  const t = useMessages(emptyMessages)
  const language = useLanguage()
  const [, navigate] = useLocation()
  return useCommand<void, unknown>({
    run() {
      // The page leaves the board before the board is deleted, so that it does not request a deleted board.
      navigate(boardPath(DEFAULT_BOARD))
      return removeSampleBoard()
    },
    refresh: () => [keys.boards],
    onDone: () => showToast({ kind: 'done', text: t('removed') }),
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
}
