/** Shows a tool call with its result, or with a clock while it runs. */
import {
  ChevronRight,
  ClipboardList,
  FilePen,
  FileText,
  Globe,
  ListChecks,
  Search,
  ShieldCheck,
  SquareTerminal,
  Wrench,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { formatSpan } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Clock } from '../../ui/time.tsx'
import { plainText } from '../../ui/plain-text.ts'
import { EditBox } from './edit-box.tsx'
import { transcriptMessages } from './messages.ts'
import { OutputBox } from './output-box.tsx'
import type { RowOf } from './row-pages.ts'
import { canOpen } from './row-look.ts'
import type { RowProps } from './row-props.ts'
import css from './rows.module.css'

type Call = RowOf<'call'>

const ICONS: Readonly<Record<Call['action'], LucideIcon>> = {
  run: SquareTerminal,
  read: FileText,
  edit: FilePen,
  search: Search,
  web: Globe,
  report: ShieldCheck,
  board: ClipboardList,
  plan: ListChecks,
  other: Wrench,
}

const NAMES = {
  run: 'run',
  read: 'read',
  edit: 'edit',
  search: 'searchTool',
  web: 'web',
  report: 'report',
  board: 'board',
  plan: 'plan',
} as const

export function CallRow({ row, ...props }: RowProps<Call>) {
  const t = useMessages(transcriptMessages)
  const { isOpen, onToggle, isLive } = props
  const { action, tool, title, state } = row
  const name = action === 'other' ? tool : t(NAMES[action])
  const Icon = ICONS[action]
  const runs = state === 'open' && isLive
  const content = (
    <>
      {runs ? <i className={css.beat} /> : <Icon />}
      <b>{name}</b>
      <code>{plainText(title)}</code>
      <span className={css.result}>{runs ? <Clock since={row.at ?? 0} /> : <Result row={row} />}</span>
    </>
  )
  if (!canOpen(row)) return <div className={classNames(css.call, css.flat, runs && css.now)}>{content}</div>
  return (
    <>
      <button
        type="button"
        className={classNames(css.call, runs && css.now)}
        aria-expanded={isOpen}
        onClick={() => onToggle(row.n)}
      >
        <ChevronRight className={css.chevron} />
        {content}
      </button>
      {isOpen && <CallParts row={row} {...props} />}
    </>
  )
}

function CallParts({ row, source, wraps, find }: Omit<RowProps<Call>, 'isOpen' | 'onToggle'>) {
  const t = useMessages(transcriptMessages)
  const { n, title, input, output, edit, state } = row
  const common = { source, row: n, wraps, find }
  return (
    <>
      {edit !== null && edit.lines.length > 0 && <EditBox edit={edit} />}
      {input !== null && <OutputBox {...common} part="input" excerpt={input} label={t('inputOf', { title })} />}
      {output !== null && (edit === null || state === 'failed') && (
        <OutputBox {...common} part="output" excerpt={output} label={t('outputOf', { title })} />
      )}
    </>
  )
}

function Result({ row }: { readonly row: Call }) {
  const t = useMessages(transcriptMessages)
  const language = useLanguage()
  const { action, state, exitCode, at, endedAt, edit, output } = row
  const took = at === null || endedAt === null ? 0 : endedAt - at
  const parts = [
    state === 'failed' && (
      <span key="state" className={css.bad}>
        {exitCode === null ? t('failed') : t('exit', { code: String(exitCode) })}
      </span>
    ),
    state === 'cut' && t('cut'),
    edit !== null && state !== 'failed' && <Counts key="counts" {...edit} />,
    edit === null && action !== 'run' && state === 'ok' && output !== null && t('lines', { n: output.lines }),
    took >= 1_000 && formatSpan(language, took),
  ].filter((part) => part !== false)
  return parts.map((part, at2) => (
    // The index can be the key, because the parts of a result never change their order.
    <span key={at2}>
      {at2 > 0 && ' · '}
      {part}
    </span>
  ))
}

export const Counts = ({ added, removed }: { readonly added: number; readonly removed: number }) => (
  <>
    {added > 0 && <ins className={css.ins}>+{added}</ins>}
    {added > 0 && removed > 0 && ' '}
    {removed > 0 && <del className={css.del}>−{removed}</del>}
  </>
)
