import { visibleText } from '../../cards/visible-text.ts'
import css from '../item.module.css'

/** Shows the exact text of a command, including invisible characters. */
export const CommandText = ({ children, label }: { readonly children: string; readonly label: string }) => (
  <pre className={css.command} tabIndex={0} role="group" aria-label={label} dir="ltr">
    {visibleText(children)}
  </pre>
)
