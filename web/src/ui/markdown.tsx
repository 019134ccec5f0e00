/** Shows Markdown. The parser is large, so it is loaded with the first text. Until then, the plain text is shown. */
import { classNames } from './class-names.ts'
import { loadLater } from './load-later.tsx'
import css from './markdown.module.css'
import { plainText } from './plain-text.ts'

const Rendered = loadLater(
  () => import('./markdown-parser.tsx').then((module) => module.MarkdownParser),
  ({ text }) => <p className={css.plain}>{text}</p>,
)

interface Props {
  readonly text: string
  readonly className?: string | undefined
}

export const Markdown = ({ text, className }: Props) => (
  <div className={classNames(css.prose, className)}>
    <Rendered text={plainText(text)} />
  </div>
)
