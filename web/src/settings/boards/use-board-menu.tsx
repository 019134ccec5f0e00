import { useLocation } from 'wouter'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import type { BoardSummary } from '../../api/queries.ts'
import { useCommand } from '../../api/use-command.ts'
import { useCanWrite } from '../../api/use-live.ts'
import { useValue } from '../../app-state/use-value.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { chooseFirstBoard, firstBoard } from '../../routes/first-board.ts'
import { boardPath } from '../../routes/paths.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { showToast } from '../../ui/toasts.ts'
import { useRefusedScope } from '../use-scope.ts'
import { boardsMessages } from './messages.ts'

/** The actions for a board in the list of boards. */
export function useBoardMenu(
  { slug, name, archivedAt, total }: BoardSummary,
  onAsk: (what: 'rename' | 'delete') => void,
): readonly MenuEntry[] {
  const t = useMessages(boardsMessages)
  const tUi = useMessages(uiMessages)
  const [, navigate] = useLocation()
  const isFirst = useValue(firstBoard) === slug
  const scope = useRefusedScope('admin')
  const canWrite = useCanWrite()
  const refused = scope ?? (canWrite ? null : tUi('notWhileOffline'))
  const change = useArchive(slug, name)
  const isArchived = archivedAt !== null
  return [
    { key: 'show', label: t('show'), onChoose: () => navigate(boardPath(slug)) },
    {
      key: 'first',
      label: t('makeFirst'),
      isChecked: isFirst,
      disabledReason: isArchived ? t('archivedNote') : null,
      onChoose: () => chooseFirstBoard(isFirst ? null : slug),
    },
    { key: 'rename', label: t('rename'), disabledReason: refused, onChoose: () => onAsk('rename') },
    { key: 'line', line: true },
    {
      key: 'archive',
      label: t(isArchived ? 'restore' : 'archive'),
      disabledReason: refused,
      onChoose: () => change.mutate(!isArchived),
    },
    {
      key: 'delete',
      label: t('delete'),
      isDanger: true,
      disabledReason: refused ?? (isArchived || total === 0 ? null : t('deleteFirst')),
      onChoose: () => onAsk('delete'),
    },
  ]
}

/** Archives or restores a board. The message about this offers to undo it. */
function useArchive(slug: string, name: string) {
  const t = useMessages(boardsMessages)
  const language = useLanguage()
  const change = useCommand<boolean, unknown>({
    run: (archives) => (archives ? client.boardsArchive({ slug }) : client.boardsUnarchive({ slug })),
    refresh: () => [keys.boards, keys.summary],
    onDone: (_, archives) =>
      showToast({
        kind: 'done',
        text: t(archives ? 'archiveDone' : 'restored', { board: name }),
        ...(archives && { action: { label: t('undo'), onChoose: () => change.mutate(false) } }),
      }),
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
  return change
}
