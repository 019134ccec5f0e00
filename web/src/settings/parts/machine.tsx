import { useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { Outputs } from '../../../../src/client/index.ts'
import { formatNumber } from '../../i18n/messages.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { Panel, Row } from '../panel.tsx'
import { PanelSkeleton } from '../panel-skeleton.tsx'
import { healthQuery } from '../queries.ts'
import css from '../settings.module.css'
import { machineMessages } from './machine-messages.ts'
import { Sessions } from './sessions.tsx'

type Health = Outputs['health']

/** Shows the program, its data, its dispatcher, and the signed-in browsers. */
export function Machine() {
  const t = useMessages(machineMessages)
  const { data, error, refetch } = useQuery(healthQuery)
  return (
    <>
      {data !== undefined ? (
        <>
          <State health={data} />
          <Dispatchers dispatchers={data.dispatchers} />
        </>
      ) : error === null ? (
        <PanelSkeleton label={t('loading')} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
      <Sessions />
    </>
  )
}

function State({ health: { status, problems, server, ready } }: { readonly health: Health }) {
  const t = useMessages(machineMessages)
  const language = useLanguage()
  const isOk = status === 'ok'
  return (
    <Panel
      title={t('title')}
      about={
        <span className={classNames(css.state, isOk ? css.ok : css.bad)}>
          {isOk ? <CircleCheck /> : <TriangleAlert />}
          {t(isOk ? 'healthy' : 'degraded')}
        </span>
      }
    >
      {problems.map(({ code, message }) => (
        <Row
          key={code}
          // A newer server may report a problem that this page has no message for.
          name={Object.hasOwn(machineMessages.en, code) ? t(code, { n: ready.late.count }) : message}
        />
      ))}
      {server.version !== null && <Row name={t('version')}>{server.version}</Row>}
      <Row name={t('home')} isCode>
        {server.home}
      </Row>
      <Row name={t('store')} isCode>
        {server.store.place}
      </Row>
      <Row name={t('cap')}>{formatNumber(language, server.machineCap)}</Row>
      <Row name={t('ready')}>{formatNumber(language, ready.count)}</Row>
    </Panel>
  )
}

function Dispatchers({ dispatchers }: Pick<Health, 'dispatchers'>) {
  const t = useMessages(machineMessages)
  return (
    <Panel title={t('dispatchers')}>
      {dispatchers.every(({ state }) => state === 'absent') && (
        <div className={css.block}>
          <p>{t('noDispatcher')}</p>
          <CodeBlock>muster up</CodeBlock>
        </div>
      )}
      {dispatchers.map(({ machine, hostname, isOwn, state, pid, lastPass }) => (
        <Row
          key={machine}
          name={isOwn ? t('ownMachine') : (hostname ?? machine)}
          note={
            <>
              {t('pid', { pid })}
              {lastPass !== null && (
                <> · {t.rich('lastPass', { time: <RelativeTime at={lastPass.at} as="relative" /> })}</>
              )}
            </>
          }
        >
          <span className={state === 'active' ? css.ok : css.bad}>{t(state)}</span>
        </Row>
      ))}
    </Panel>
  )
}
