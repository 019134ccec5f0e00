import { useMessages } from '../../i18n/use-messages.tsx'
import { classNames } from '../../ui/class-names.ts'
import { plainText } from '../../ui/plain-text.ts'
import css from './edit-box.module.css'
import { transcriptMessages } from './messages.ts'
import type { RowOf } from './row-pages.ts'

type Edit = NonNullable<RowOf<'call'>['edit']>

/** Shows the lines that an agent reported as changed. They have no numbers, because few CLIs report positions. */
export function EditBox({ edit: { path, lines, isWhole } }: { readonly edit: Edit }) {
  const t = useMessages(transcriptMessages)
  return (
    <div className={css.box} role="group" aria-label={t('changeOf', { path })} tabIndex={0}>
      {lines.map(({ sign, text }, at) => (
        // The index can be the key, because the lines of a change never change their order.
        <div key={at} className={classNames(css.line, sign === '+' && css.added, sign === '-' && css.removed)}>
          <span className={css.sign}>{sign === '-' ? '−' : sign}</span>
          <span className={css.code}>{plainText(text)}</span>
        </div>
      ))}
      {!isWhole && <p className={css.more}>…</p>}
    </div>
  )
}
