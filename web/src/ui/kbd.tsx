import { keyNames } from '../shortcuts/key-names.ts'
import css from './kbd.module.css'

/** Shows the keys of a shortcut by their names on this machine: `mod+k` is ⌘K or Ctrl K. */
export const Kbd = ({ keys }: { readonly keys: string }) =>
  keyNames(keys).map((name, at) => (
    <kbd key={at} className={css.kbd}>
      {name}
    </kbd>
  ))
