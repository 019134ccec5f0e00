/** The menu that switches the board. If the list of boards is long, it can be searched. */
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { BoardSummary } from '../api/queries.ts'
import { formatNumber } from '../i18n/messages.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { ROUTES, boardPath, settingsPath } from '../routes/paths.ts'
import { Listbox } from '../ui/listbox.tsx'
import { Popover } from '../ui/popover.tsx'
import { appMessages } from './messages.ts'
import { openCount } from './sidebar-data.ts'
import css from './sidebar.module.css'

interface Props {
  readonly board: string | null
  readonly boards: readonly BoardSummary[]
}

/** The values of the last options in the menu. No board can have such a slug. */
const ALL = '*all'
const MANAGE = '*manage'

export function BoardMenu({ board, boards }: Props) {
  const t = useMessages(appMessages)
  const language = useLanguage()
  const [path, navigate] = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const isAll = path === ROUTES.allBoards
  const name = isAll ? t('allBoards') : (boards.find(({ slug }) => slug === board)?.name ?? board ?? '')
  const open = boards.filter(({ archivedAt }) => archivedAt === null)
  const choose = (value: string): void => {
    setIsOpen(false)
    navigate(value === ALL ? ROUTES.allBoards : value === MANAGE ? settingsPath('boards') : boardPath(value))
  }
  return (
    <Popover
      label={t('boards')}
      align="start"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      className={css.boardMenu}
      trigger={
        <button type="button" className={css.switch} aria-label={t('switchBoard', { board: name })}>
          <span className={css.boardName}>{name}</span>
          <ChevronDown />
        </button>
      }
    >
      <Listbox
        label={t('boards')}
        value={isAll ? ALL : board}
        isSearchable={open.length >= 8}
        options={[
          ...open.map(({ slug, name: label, counts }) => ({
            value: slug,
            label,
            words: slug,
            note: formatNumber(language, openCount(counts)),
          })),
          { value: ALL, label: t('allBoards') },
          { value: MANAGE, label: t('manageBoards') },
        ]}
        renderOption={({ label }) => label}
        onChoose={choose}
      />
    </Popover>
  )
}
