import { useNow } from '../app-state/use-now.ts'
import { formatClock, formatMoment } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { RelativeTime } from '../ui/time.tsx'
import css from './detail.module.css'
import { pauseMessages } from './pause-messages.ts'
import type { Member, Pause, Quota } from './queries.ts'
import { useResume } from './use-pause.ts'

/** Shows each pause that holds the agent back: its beginning, its reason, its end, and the button that ends it. */
export function Pauses({ member: { name, pause, quota, cli } }: { readonly member: Member }) {
  return (
    <>
      {pause !== null && <AgentPause name={name} pause={pause} />}
      {quota !== null && quota.state !== 'open' && <AccountPause quota={quota} cli={cli} />}
    </>
  )
}

function AgentPause({ name, pause }: { readonly name: string; readonly pause: Pause }) {
  const t = useMessages(pauseMessages)
  const resume = useResume('agent', name)
  return (
    <section className={css.notice}>
      <div className={css.row}>
        <h3 className={css.noticeTitle}>
          {pause.by === null || pause.since === null
            ? t('pausedText')
            : t.rich('pausedBy', { by: pause.by, time: <RelativeTime at={pause.since} as="relative" /> })}
          {' · '}
          <Until at={pause.until} />
        </h3>
        <Button size="small" writes isBusy={resume.isPending} onClick={() => resume.mutate()}>
          {t('resume')}
        </Button>
      </div>
      {pause.reason !== null && <p>{pause.reason}</p>}
    </section>
  )
}

const TITLES = { quota: 'quotaReached', auth: 'authFailed', person: 'accountPaused' } as const

function AccountPause({ quota, cli }: { readonly quota: Quota; readonly cli: Member['cli'] }) {
  const t = useMessages(pauseMessages)
  const { account, state, cause, until, reason } = quota
  const resume = useResume('account', account)
  const needsLogIn = cause === 'auth'
  const isTried = state === 'trying'
  return (
    <section className={classNames(css.notice, until === null && !isTried && css.urgent)}>
      <div className={css.row}>
        <h3 className={css.noticeTitle}>
          {t(isTried ? 'accountTried' : TITLES[cause ?? 'person'], { account })}
          {!isTried && ' · '}
          {!isTried && <Until at={until} />}
        </h3>
        <Button size="small" writes isBusy={resume.isPending} onClick={() => resume.mutate()}>
          {t('resumeAccount')}
        </Button>
      </div>
      {isTried && <p>{t('accountTriedText')}</p>}
      {reason !== null && <p>{reason}</p>}
      {needsLogIn && cli !== null && (
        <>
          <p>{t('logInThen')}</p>
          <CodeBlock>{cli.logIn}</CodeBlock>
        </>
      )}
    </section>
  )
}

/** The clock counts down during this time before the end of a pause. */
const SOON_MS = 3_600_000

/** Shows when a pause ends: as a clock if that is soon, otherwise as a time. */
export function Until({ at }: { readonly at: number | null }) {
  const t = useMessages(pauseMessages)
  const language = useLanguage()
  const now = useNow('second')
  if (at === null) return t('untilPerson')
  if (at - now > SOON_MS) return t('until', { time: formatMoment(language, at, now) })
  return t.rich('resumesIn', { clock: <time>{formatClock(language, at - now)}</time> })
}
