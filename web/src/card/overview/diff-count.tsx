import { formatNumber } from '../../i18n/messages.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { overviewMessages } from './messages.ts'
import css from './overview.module.css'

interface Props {
  readonly added: number | null
  readonly removed: number | null
  /** The number of files. Without this number, only lines are shown. */
  readonly files?: number
}

export function DiffCount({ added, removed, files }: Props) {
  const t = useMessages(overviewMessages)
  const language = useLanguage()
  return (
    <span className={css.diff}>
      {added !== null && <ins>+{formatNumber(language, added)}</ins>}{' '}
      {removed !== null && <del>−{formatNumber(language, removed)}</del>}
      {files !== undefined && <span> {t('inFiles', { n: files })}</span>}
    </span>
  )
}
