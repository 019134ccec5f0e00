import { Ellipsis, Plus } from 'lucide-react'
import { useState } from 'react'
import { isSatisfied } from '../../../../src/core/status.ts'
import { STATUSES } from '../../../../src/core/vocabulary.ts'
import type { BoardSummary } from '../../api/queries.ts'
import { useValue } from '../../app-state/use-value.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { firstBoard } from '../../routes/first-board.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Panel } from '../panel.tsx'
import settings from '../settings.module.css'
import { useRefusedScope } from '../use-scope.ts'
import css from './boards.module.css'
import { CreateBoard } from './create-board.tsx'
import { DeleteBoard } from './delete-board.tsx'
import { boardsMessages } from './messages.ts'
import { RenameBoard } from './rename-board.tsx'
import { useBoardMenu } from './use-board-menu.tsx'

interface Props {
  readonly boards: readonly BoardSummary[]
  readonly onOpen: (slug: string) => void
}

export function BoardList({ boards, onOpen }: Props) {
  const t = useMessages(boardsMessages)
  const refused = useRefusedScope('admin')
  const [isCreating, setIsCreating] = useState(false)
  const inOrder = boards.toSorted((a, b) => Number(a.archivedAt !== null) - Number(b.archivedAt !== null))
  return (
    <>
      <Panel
        title={t('title')}
        actions={
          <Button size="small" icon={<Plus />} writes disabledReason={refused} onClick={() => setIsCreating(true)}>
            {t('create')}
          </Button>
        }
      >
        <ul>
          {inOrder.map((board) => (
            <BoardRow key={board.slug} board={board} onOpen={onOpen} />
          ))}
        </ul>
      </Panel>
      {isCreating && <CreateBoard boards={boards} onClose={() => setIsCreating(false)} onCreated={onOpen} />}
    </>
  )
}

const openCards = ({ counts }: BoardSummary): number =>
  STATUSES.filter((status) => !isSatisfied(status)).reduce((sum, status) => sum + (counts[status] ?? 0), 0)

interface RowProps {
  readonly board: BoardSummary
  readonly onOpen: (slug: string) => void
}

function BoardRow({ board, onOpen }: RowProps) {
  const t = useMessages(boardsMessages)
  const { slug, name, description, archivedAt, isCurrent, total } = board
  const isFirst = useValue(firstBoard) === slug
  const [asked, setAsked] = useState<'rename' | 'delete' | null>(null)
  const entries = useBoardMenu(board, setAsked)
  const marks = [archivedAt !== null && t('archived'), isFirst && t('opensFirst'), isCurrent && t('isCurrent')]
  return (
    <li className={settings.row}>
      <span className={settings.rowText}>
        <span className={css.name}>
          <button type="button" className={css.open} onClick={() => onOpen(slug)}>
            {name}
          </button>
          <code className={css.slug}>{slug}</code>
          {marks
            .filter((mark) => mark !== false)
            .map((mark) => (
              <span key={mark} className={css.mark}>
                {mark}
              </span>
            ))}
        </span>
        <span className={settings.note}>
          {t('open', { n: openCards(board) })} · {t('total', { n: total })}
          {description !== '' && ` · ${description}`}
        </span>
      </span>
      <span className={settings.control}>
        <Button size="small" onClick={() => onOpen(slug)} aria-label={t('settingsOf', { board: name })}>
          {t('settings')}
        </Button>
        <Menu entries={entries} align="end">
          <IconButton size="small" icon={<Ellipsis />} label={t('more', { board: name })} />
        </Menu>
      </span>
      {asked === 'rename' && <RenameBoard board={board} onClose={() => setAsked(null)} />}
      {asked === 'delete' && <DeleteBoard board={board} onClose={() => setAsked(null)} />}
    </li>
  )
}
