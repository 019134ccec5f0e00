/** Shows an excerpt of a long text. "Show all" loads the rest. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { formatBytes } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { classNames } from '../../ui/class-names.ts'
import { copyText } from '../../ui/copy-text.ts'
import { AnsiText } from '../output/ansi-text.tsx'
import { plainText } from '../../ui/plain-text.ts'
import { LongText } from './long-text.tsx'
import { transcriptMessages } from './messages.ts'
import css from './output-box.module.css'
import type { RowsSource } from './use-rows.ts'

interface Excerpt {
  readonly text: string
  readonly lines: number
  readonly isWhole: boolean
}

interface Props {
  readonly source: RowsSource
  readonly row: number
  readonly part: 'text' | 'input' | 'output'
  readonly excerpt: Excerpt
  readonly label: string
  readonly wraps: boolean
  /** The searched text. Empty if this row does not contain it. */
  readonly find: string
}

export function OutputBox({ source, row, part, excerpt, label, wraps, find }: Props) {
  const t = useMessages(transcriptMessages)
  const language = useLanguage()
  const [isAsked, setIsAsked] = useState(false)
  const isHidden = find !== '' && !excerpt.isWhole && !excerpt.text.toLowerCase().includes(find.toLowerCase())
  const isAll = (isAsked || isHidden) && !excerpt.isWhole
  const query = textQuery({ ...source, row, part })
  const { data, error } = useQuery({ ...query, enabled: isAll })
  const cache = useQueryClient()
  const copy = async (): Promise<void> => {
    const whole = excerpt.isWhole ? excerpt.text : (await cache.fetchQuery(query)).text
    await copyText(plainText(whole), { done: t('copied'), refused: t('copyRefused') })
  }
  const shown = excerpt.text === '' ? 0 : excerpt.text.split('\n').length
  return (
    <div className={css.box}>
      {isAll && data !== undefined ? (
        <LongText text={data.text} label={label} wraps={wraps} find={find} />
      ) : (
        <pre className={classNames(css.text, wraps && css.wrapped)} role="group" aria-label={label} tabIndex={0}>
          <AnsiText text={excerpt.text} />
        </pre>
      )}
      {data?.isWhole === false && isAll && (
        <p className={css.remark}>{t('tooLong', { size: formatBytes(language, data.text.length) })}</p>
      )}
      <div className={css.foot}>
        {!excerpt.isWhole && (
          <>
            {!isAll && <span>{excerpt.lines > shown ? t('linesOf', { shown, n: excerpt.lines }) : t('cutText')}</span>}
            <button type="button" onClick={() => setIsAsked(!isAll)} aria-expanded={isAll}>
              {isAll ? (data === undefined && error === null ? t('loadingText') : t('showLess')) : t('showAll')}
            </button>
          </>
        )}
        <button type="button" onClick={() => void copy().catch(() => {})}>
          {t('copy')}
        </button>
      </div>
    </div>
  )
}

/** Reads the whole text. It is soon removed from the cache, because it can be large. */
const textQuery = (asked: RowsSource & { readonly row: number; readonly part: Props['part'] }) => ({
  queryKey: ['transcript', asked.run, 'text', asked.show, asked.row, asked.part],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => client.transcriptText(asked, { signal }),
  gcTime: 0,
  staleTime: 0,
})
