/** Shows one row of the transcript according to its kind. */
import { CirclePause, FilePen, Info, OctagonX, Scissors } from 'lucide-react'
import { memo } from 'react'
import { formatBytes } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { AnsiText } from '../output/ansi-text.tsx'
import { plainText } from '../../ui/plain-text.ts'
import { CallRow, Counts } from './call-row.tsx'
import { EditBox } from './edit-box.tsx'
import { EventRow } from './event-row.tsx'
import { transcriptMessages } from './messages.ts'
import { OutputBox } from './output-box.tsx'
import type { RowOf } from './row-pages.ts'
import type { RowProps } from './row-props.ts'
import css from './rows.module.css'

export const TranscriptRow = memo(function TranscriptRow({ row, ...props }: RowProps) {
  switch (row.kind) {
    case 'call':
      return <CallRow row={row} {...props} />
    case 'event':
      return <EventRow row={row} {...props} />
    case 'said':
      return <Message row={row} {...props} />
    case 'output':
      return <Line row={row} {...props} />
    case 'changed':
      return <Change row={row} />
    case 'used':
      return <Usage row={row} />
    case 'waits':
    case 'failed':
      return <Failure row={row} />
    case 'note':
    case 'omitted':
    case 'hidden':
      return <Note row={row} />
  }
})

function Message({ row, source, wraps, find }: RowProps<RowOf<'said'>>) {
  const t = useMessages(transcriptMessages)
  if (row.text.isWhole) return <Markdown text={plainText(row.text.text)} className={css.say ?? ''} />
  return (
    <OutputBox
      source={source}
      row={row.n}
      part="text"
      excerpt={row.text}
      label={t('messages')}
      wraps={wraps}
      find={find}
    />
  )
}

function Line({ row, source, wraps, find }: RowProps<RowOf<'output'>>) {
  const t = useMessages(transcriptMessages)
  if (!row.text.isWhole)
    return (
      <OutputBox
        source={source}
        row={row.n}
        part="text"
        excerpt={row.text}
        label={t('outputOf', { title: '' })}
        wraps={wraps}
        find={find}
      />
    )
  return (
    <pre className={classNames(css.line, row.aside && css.aside, wraps && css.wrapped)}>
      <AnsiText text={row.text.text} />
    </pre>
  )
}

function Change({ row: { path, edit } }: { readonly row: RowOf<'changed'> }) {
  const t = useMessages(transcriptMessages)
  return (
    <>
      <div className={classNames(css.call, css.flat)}>
        <FilePen />
        <b>{t('changed')}</b>
        <code>{plainText(path)}</code>
        <span className={css.result}>{edit !== null && <Counts {...edit} />}</span>
      </div>
      {edit !== null && <EditBox edit={edit} />}
    </>
  )
}

function Usage({ row: { usage } }: { readonly row: RowOf<'used'> }) {
  const t = useMessages(transcriptMessages)
  const { inputTokens, outputTokens, costUsd } = usage
  const parts = [
    inputTokens !== null && t('usageIn', { n: inputTokens }),
    outputTokens !== null && t('usageOut', { n: outputTokens }),
    costUsd !== null && costUsd > 0 && `$${Number(costUsd.toFixed(4))}`,
  ].filter((part) => part !== false)
  return <div className={css.usage}>{parts.join(' · ')}</div>
}

function Failure({ row: { kind, cause, message } }: { readonly row: RowOf<'waits'> | RowOf<'failed'> }) {
  const t = useMessages(transcriptMessages)
  const isWait = kind === 'waits'
  return (
    <div className={css.note}>
      {isWait ? <CirclePause className={css.act} /> : <OctagonX className={css.bad} />}
      <span className={classNames(css.sentence, isWait ? css.act : css.bad)}>
        {isWait ? t('waits') : t('stopped')}
        {cause !== 'other' && ` · ${t(cause)}`}
        <span className={css.remark}> · {plainText(message)}</span>
      </span>
    </div>
  )
}

function Note({ row }: { readonly row: RowOf<'note'> | RowOf<'omitted'> | RowOf<'hidden'> }) {
  const t = useMessages(transcriptMessages)
  const language = useLanguage()
  return (
    <div className={css.note}>
      {row.kind === 'omitted' ? <Scissors /> : <Info />}
      <span className={css.sentence}>
        {row.kind === 'note' && plainText(row.text)}
        {row.kind === 'omitted' && t('omitted', { size: formatBytes(language, row.bytes) })}
        {row.kind === 'hidden' && t('hidden', { n: row.lines })}
      </span>
    </div>
  )
}
