import { CircleX, Clock, FilePen, MessageSquare, SquareTerminal } from 'lucide-react'
import type { ReactNode } from 'react'
import type { InboxItem } from '../../api/queries.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/states.tsx'
import type { CardItem } from '../card-item.ts'
import { detailMessages } from '../detail-messages.ts'
import css from './detail.module.css'
import { Section } from './section.tsx'

type Step = InboxItem['steps'][number]

const ICONS: Readonly<Record<Step['kind'], ReactNode>> = {
  said: <MessageSquare />,
  called: <SquareTerminal />,
  changed: <FilePen />,
  waited: <Clock />,
  failed: <CircleX />,
}

const NAMES = {
  said: 'said',
  called: 'called',
  changed: 'changedFile',
  waited: 'waited',
  failed: 'failed',
} as const

interface Props {
  readonly item: CardItem
  /** The last actions of the agent. Undefined until they are loaded. */
  readonly steps: readonly Step[] | undefined
}

/** Shows the last actions in the log of the last attempt. */
export function LastSteps({ item: { work }, steps }: Props) {
  const t = useMessages(detailMessages)
  if (work === null) return null
  return (
    <Section
      title={
        <>
          {t('steps')} <small className={css.small}>{t('attempt', { n: work.attempt })}</small>
        </>
      }
    >
      {steps?.length === 0 ? (
        <p className={css.quiet}>{t('noSteps')}</p>
      ) : (
        <ol className={css.steps}>
          {steps === undefined
            ? [60, 44, 72].map((width) => (
                <li key={width} className={css.step}>
                  <Skeleton width={width} />
                </li>
              ))
            : steps.map(({ kind, text }, at) => (
                <li key={at} className={classNames(css.step, kind === 'failed' && css.failed)}>
                  <span title={t(NAMES[kind])} className={css.stepIcon}>
                    {ICONS[kind]}
                  </span>
                  <span className={kind === 'called' ? css.code : undefined}>{text}</span>
                </li>
              ))}
        </ol>
      )}
    </Section>
  )
}
