/** Shows the first items that need the person, above the columns. The strip has the same height while it loads. */
import { useQuery } from '@tanstack/react-query'
import {
  ChevronRight,
  CircleHelp,
  Eye,
  GitMerge,
  Inbox,
  KeyRound,
  SquareTerminal,
  TriangleAlert,
  Trophy,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'wouter'
import type { InboxKind } from '../../../../src/core/inbox.ts'
import { inboxQuery, summaryQuery } from '../../api/queries.ts'
import type { Inbox as InboxData, InboxItem } from '../../api/queries.ts'
import { useNow } from '../../app-state/use-now.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { inboxItemPath, ROUTES } from '../../routes/paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/states.tsx'
import { StripAction } from './action.tsx'
import { kindsLine, stripItem } from './items.ts'
import { stripMessages } from './messages.ts'
import css from './strip.module.css'

const ICONS: Readonly<Record<InboxKind, readonly [icon: LucideIcon, hue: string | undefined]>> = {
  account: [KeyRound, css.blocked],
  question: [CircleHelp, css.blocked],
  approval: [SquareTerminal, css.blocked],
  review: [Eye, css.review],
  pick: [Trophy, css.review],
  stopped: [TriangleAlert, css.failed],
  blocked: [CircleHelp, css.blocked],
  agent: [TriangleAlert, css.blocked],
  triage: [CircleHelp, css.waiting],
  unlanded: [GitMerge, css.done],
}

/** The maximum number of items. Only the widest board shows all of them; the style sheet hides the rest. */
const MOST = 5

/**
 * The storage key for whether any item needed the person at the last visit. Until the summary arrives, the strip uses
 * this value to reserve its space.
 */
const KEY = 'muster-strip'

export function NeedsYouStrip() {
  const { data } = useQuery(inboxQuery)
  const { data: summary } = useQuery(summaryQuery)
  useEffect(() => {
    if (data !== undefined) localStorage.setItem(KEY, data.items.length === 0 ? '0' : '1')
  }, [data])
  const isExpected = summary === undefined ? localStorage.getItem(KEY) === '1' : summary.waiting.count > 0
  if (data === undefined) return isExpected ? <Loading /> : null
  return data.items.length === 0 ? null : <Items data={data} />
}

function Items({ data: { items, next } }: { readonly data: InboxData }) {
  const t = useMessages(stripMessages)
  const language = useLanguage()
  const n = items.length
  const more = (shown: number) => (n > shown ? t('more', { n: n - shown }) : null)
  return (
    <section className={css.strip} aria-label={t('needsYou')}>
      {items.slice(0, MOST).map((item) => (
        <Item key={`${item.kind} ${item.id}`} item={item} />
      ))}
      {n > 2 && (
        <Link
          href={ROUTES.inbox}
          className={classNames(css.rest, n <= 3 && css.restOfTwo, n <= MOST && css.restOfThree)}
        >
          <span className={css.afterTwo}>{more(2)}</span>
          <span className={css.afterThree}>{more(3)}</span>
          <span className={css.afterFive}>{more(MOST)}</span>
        </Link>
      )}
      <Link href={ROUTES.inbox} className={css.all}>
        <Inbox className={css.blocked} />
        {next === null ? t('count', { n }) : t('countMany', { n })}
        <small className={css.kinds}>{kindsLine(items, language)}</small>
        <ChevronRight />
      </Link>
    </section>
  )
}

function Item({ item }: { readonly item: InboxItem }) {
  const language = useLanguage()
  const now = useNow()
  const { title, note } = stripItem(item, { language, now })
  const [Icon, hue] = ICONS[item.kind]
  return (
    <div className={css.item}>
      <Icon className={hue} />
      <Link href={inboxItemPath(item.id)} className={css.text}>
        <b className={css.title}>{title}</b>
        <small className={css.note}>{note}</small>
      </Link>
      <StripAction item={item} />
    </div>
  )
}

function Loading() {
  const t = useMessages(stripMessages)
  return (
    <div className={css.strip} aria-busy="true" aria-label={t('loading')} role="region">
      {[80, 64, 70].map((width) => (
        <div key={width} className={css.item} aria-hidden="true">
          <span className={css.bones}>
            <Skeleton width={width} />
            <Skeleton width={width / 2} isSmall />
          </span>
        </div>
      ))}
      <div className={css.all}>
        <Skeleton width={40} />
      </div>
    </div>
  )
}
