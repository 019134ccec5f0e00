import { classNames } from '../../ui/class-names.ts'
import { ansiPieces } from './ansi.ts'
import css from './ansi-text.module.css'

/** Terminal output with its colours. */
export const AnsiText = ({ text }: { readonly text: string }) =>
  ansiPieces(text).map(({ text: piece, color, isBold, isDim, isItalic, isUnderlined }, at) => {
    const className = classNames(
      color !== null && css[color],
      isBold && css.bold,
      isDim && css.dim,
      isItalic && css.italic,
      isUnderlined && css.underlined,
    )
    // The index can be the key, because the pieces of a text never change their order.
    return className === '' ? (
      piece
    ) : (
      <span key={at} className={className}>
        {piece}
      </span>
    )
  })
