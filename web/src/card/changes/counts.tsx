import { formatNumber } from '../../i18n/messages.ts'
import { useLanguage } from '../../i18n/use-messages.tsx'
import css from './diff.module.css'

export function Counts({ added, removed }: { readonly added: number; readonly removed: number }) {
  const language = useLanguage()
  return (
    <>
      {added > 0 && <ins className={css.ins}>+{formatNumber(language, added)}</ins>}
      {added > 0 && removed > 0 && ' '}
      {removed > 0 && <del className={css.del}>−{formatNumber(language, removed)}</del>}
    </>
  )
}
