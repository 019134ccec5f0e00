/** Shows whether Muster starts cards, which ready cards wait and why, and where Muster stores its data. */
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Outputs } from '../../../src/client/index.ts'
import { useNow } from '../app-state/use-now.ts'
import { reasonLine } from '../cards/reason-line.ts'
import { formatRelative } from '../i18n/format.ts'
import { formatNumber } from '../i18n/messages.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Facts } from '../page/facts.tsx'
import { ListSkeleton } from '../page/list-skeleton.tsx'
import { PageHeader } from '../page/page-header.tsx'
import { cardPath } from '../routes/paths.ts'
import { classNames } from '../ui/class-names.ts'
import { ErrorState } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import css from './health.module.css'
import { healthMessages } from './messages.ts'
import { healthQuery } from './queries.ts'

type Report = Outputs['health']

export function HealthScreen() {
  const t = useMessages(healthMessages)
  const { data, error, refetch } = useQuery(healthQuery)
  return (
    <>
      <PageHeader title={t('title')} />
      {data !== undefined ? (
        <Content report={data} />
      ) : error === null ? (
        <ListSkeleton label={t('loading')} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

const Content = ({ report }: { readonly report: Report }) => (
  <div className={css.page}>
    <Verdict report={report} />
    <Waiting ready={report.ready} />
    <Dispatchers dispatchers={report.dispatchers} />
    <Machine server={report.server} />
  </div>
)

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={css.section} aria-label={title}>
      <h2 className={css.heading}>{title}</h2>
      {children}
    </section>
  )
}

function Verdict({ report: { status, problems, ready } }: { readonly report: Report }) {
  const t = useMessages(healthMessages)
  const isOk = status === 'ok'
  return (
    <div className={classNames(css.verdict, isOk ? css.good : css.bad)} role="status">
      {isOk ? <CircleCheck /> : <TriangleAlert />}
      <div>
        <b>{t(isOk ? 'good' : 'degraded')}</b>
        {problems.map(({ code }) => (
          <p key={code}>
            {code === 'cards_late' ? t('problem_cards_late', { n: ready.late.count }) : t(`problem_${code}`)}
          </p>
        ))}
      </div>
    </div>
  )
}

function Waiting({ ready: { late, reasons, count, examined } }: { readonly ready: Report['ready'] }) {
  const t = useMessages(healthMessages)
  const language = useLanguage()
  const now = useNow()
  const rows = [
    ...(late.first === null ? [] : [{ key: 'late', text: t('late'), count: late.count, first: late.first }]),
    ...reasons.map(({ code, count: n, first }) => ({
      key: code,
      text: reasonLine(first.reason, { language, now }),
      count: n,
      first,
    })),
  ]
  return (
    <Section title={t('waiting')}>
      {rows.length === 0 ? (
        <p className={css.none}>{t('noneWait')}</p>
      ) : (
        <ul className={css.box}>
          {rows.map(({ key, text, count: n, first }) => (
            <li key={key} className={css.row}>
              <span className={css.text}>{text}</span>
              <span className={css.end}>
                {t('cards', { n })}
                <Link href={cardPath(first.board, first.id)} className={css.link}>
                  {t('oldest')}
                </Link>
                <RelativeTime at={first.since} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {examined < count && <p className={css.none}>{t('examined', { n: examined })}</p>}
    </Section>
  )
}

function Dispatchers({ dispatchers }: Pick<Report, 'dispatchers'>) {
  const t = useMessages(healthMessages)
  const language = useLanguage()
  const now = useNow()
  return (
    <Section title={t('dispatchers')}>
      {dispatchers.length === 0 ? (
        <p className={css.none}>{t('noDispatcher')}</p>
      ) : (
        <ul className={css.box}>
          {dispatchers.map(({ machine, hostname, isOwn, state, pid, lastPass }) => (
            <li key={machine} className={css.row}>
              <span className={css.text}>
                {hostname ?? machine}
                {isOwn && ` (${t('here')})`}
              </span>
              <span className={css.end}>
                <span className={state === 'active' ? css.active : css.stopped}>{t(state)}</span>
                <span>pid {pid}</span>
                {lastPass !== null && (
                  <span>{t('lastPass', { time: formatRelative(language, lastPass.at, now) })}</span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Machine({ server: { version, home, store, machineCap } }: Pick<Report, 'server'>) {
  const t = useMessages(healthMessages)
  const language = useLanguage()
  return (
    <Section title={t('machine')}>
      <Facts
        facts={[
          { name: t('version'), value: version },
          { name: t('home'), value: home, isCode: true },
          { name: t('store'), value: store.place, isCode: true },
          { name: t('cap'), value: formatNumber(language, machineCap) },
        ]}
      />
    </Section>
  )
}
