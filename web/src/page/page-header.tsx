/** The header of every screen: name, summary, search, and the button that creates a card. */
import { Plus, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { commonMessages } from '../i18n/common-messages.ts'
import { usePageName } from '../app-state/page-names.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { useCreateDialog } from '../routes/use-create-dialog.ts'
import { useQueryField } from '../routes/use-query-field.ts'
import { Button } from '../ui/button.tsx'
import type { ButtonProps } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Kbd } from '../ui/kbd.tsx'
import css from './page-header.module.css'
import { LostBadge } from './lost-badge.tsx'

interface Props {
  readonly title: ReactNode
  /** A short summary beside the title. A narrow header hides it. */
  readonly summary?: ReactNode
  /** The buttons of the screen, between the summary and the search. */
  readonly actions?: ReactNode
  /** An element that replaces the search button. */
  readonly search?: ReactNode
  /** The buttons between the search and the button that creates a card. */
  readonly after?: ReactNode
  /** Whether the header has no search and no button that creates a card. */
  readonly isPlain?: boolean
}

export function PageHeader({ title, summary, actions, search, after, isPlain = false }: Props) {
  usePageName(typeof title === 'string' ? title : null)
  return (
    <header className={css.top}>
      <h1 className={css.title}>{title}</h1>
      <LostBadge />
      <span className={css.summary}>{summary}</span>
      {actions}
      {!isPlain && (search ?? <SearchButton />)}
      {after}
      {!isPlain && <NewCardButton />}
    </header>
  )
}

/** Opens the palette. */
export function SearchButton({ className }: { readonly className?: string | undefined }) {
  const t = useMessages(commonMessages)
  const [, setPalette] = useQueryField('find')
  return (
    <button
      type="button"
      className={classNames(css.search, className)}
      onClick={() => setPalette('1', { adds: false })}
    >
      <Search />
      <span className={css.searchText}>{t('find')}</span>
      <span className={css.keys} aria-hidden="true">
        <Kbd keys="mod+k" />
      </span>
    </button>
  )
}

function NewCardButton() {
  const t = useMessages(commonMessages)
  const { open } = useCreateDialog()
  return (
    <Button
      look="primary"
      className={css.create}
      icon={<Plus />}
      aria-label={t('newCard')}
      writes
      onClick={() => open()}
    >
      <span className={css.createText}>{t('newCard')}</span>
    </Button>
  )
}

interface HeaderButtonProps extends Omit<ButtonProps, 'look' | 'children'> {
  readonly label: string
  readonly isQuiet?: boolean
  /** Whether the button is hidden on a phone. */
  readonly isWideOnly?: boolean
}

/** A button of the header. In a narrow header, it shows only its icon. */
export const HeaderButton = ({ label, isQuiet = false, isWideOnly = false, ...rest }: HeaderButtonProps) => (
  <Button
    {...rest}
    look={isQuiet ? 'ghost' : 'normal'}
    aria-label={label}
    className={classNames(css.action, isWideOnly && css.wideOnly)}
  >
    <span className={css.actionText}>{label}</span>
  </Button>
)
