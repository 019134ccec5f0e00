/** Shows a line of a diff, or two lines side by side. */
import { memo } from 'react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { classNames } from '../../ui/class-names.ts'
import { plainText } from '../../ui/plain-text.ts'
import type { DiffRow, ShownLine } from './diff-rows.ts'
import css from './diff.module.css'
import { tokensOf } from './file-tokens.ts'
import { linePieces } from './line-pieces.ts'
import { changesMessages } from './messages.ts'
import type { Diff } from './queries.ts'

interface Props {
  readonly path: string
  readonly data: Diff
  readonly row: DiffRow
  readonly onGap: (at: number) => void
}

export const DiffLine = memo(function DiffLine({ path, data, row, onGap }: Props) {
  const t = useMessages(changesMessages)
  switch (row.kind) {
    case 'gap':
      return (
        <button type="button" className={css.gap} onClick={() => onGap(row.at)}>
          {row.lines === null ? t('restOfFile') : t('moreLines', { n: row.lines })}
          {row.heading !== '' && <code>{plainText(row.heading)}</code>}
        </button>
      )
    case 'line':
      return (
        <div className={classNames(css.line, toneOf(row.line))}>
          <span className={css.no}>{row.line.oldNo}</span>
          <span className={css.no}>{row.line.newNo}</span>
          <Code path={path} data={data} line={row.line} />
        </div>
      )
    case 'pair':
      return (
        <div className={css.pair}>
          <Side path={path} data={data} line={row.left} no={row.left?.oldNo ?? null} />
          <Side path={path} data={data} line={row.right} no={row.right?.newNo ?? null} />
        </div>
      )
  }
})

interface SideProps {
  readonly path: string
  readonly data: Diff
  readonly line: ShownLine | null
  readonly no: number | null
}

function Side({ path, data, line, no }: SideProps) {
  if (line === null) return <div className={classNames(css.side, css.absent)} />
  return (
    <div className={classNames(css.side, toneOf(line))}>
      <span className={css.no}>{no}</span>
      <Code path={path} data={data} line={line} />
    </div>
  )
}

const toneOf = ({ sign }: ShownLine): string | undefined =>
  sign === '+' ? css.added : sign === '-' ? css.removed : undefined

interface CodeProps {
  readonly path: string
  readonly data: Diff
  readonly line: ShownLine
}

/** Longer lines are cut, because the reader can still open the file. */
const LENGTH_MAX = 5_000

function Code({ path, data, line }: CodeProps) {
  const t = useMessages(changesMessages)
  const { sign, text, marks, isUnended } = line
  const isLong = text.length > LENGTH_MAX
  const pieces = isLong
    ? [{ text: text.slice(0, LENGTH_MAX), kind: null, isChanged: false }]
    : linePieces(tokensOf(data, path, line), marks)
  return (
    <>
      <span className={css.sign}>{sign === '-' ? '−' : sign}</span>
      <span className={css.code}>
        {pieces.map(({ text: piece, kind, isChanged }, at) =>
          kind === null && !isChanged ? (
            plainText(piece)
          ) : (
            // The index can be the key, because the pieces of a line never change their order.
            <span key={at} className={classNames(kind !== null && css[kind], isChanged && css.mark)}>
              {plainText(piece)}
            </span>
          ),
        )}
        {isLong && '…'}
        {isUnended === true && <span className={css.noEnd}>{t('noEnd')}</span>}
      </span>
    </>
  )
}
