/** Shows the value of a field in a readable form. */
import type { ReactNode } from 'react'
import { goalOf } from '../../../../src/core/goal.ts'
import { formatMoment, formatSpan } from '../../i18n/format.ts'
import { formatNumber } from '../../i18n/messages.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { useNow } from '../../app-state/use-now.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Tag } from '../../ui/pill.tsx'
import type { CardDetails } from '../card-details.ts'
import type { FieldName } from './field-list.ts'
import css from './fields.module.css'
import { fieldMessages } from './messages.ts'

interface Props {
  readonly name: FieldName
  readonly card: CardDetails
}

export function FieldValue({ name, card }: Props): ReactNode {
  const t = useMessages(fieldMessages)
  const language = useLanguage()
  const now = useNow()
  switch (name) {
    case 'assignee':
      return <Agent name={card.assignee} none={t('noAgent')} />
    case 'reviewer':
      return <Agent name={card.reviewer} none={t('byBoard')} />
    case 'priority':
      return formatNumber(language, card.priority)
    case 'labels':
      return <Words words={card.labels} none={t('none')} />
    case 'skills':
      return card.skills === null ? <Empty>{t('byAgent')}</Empty> : <Words words={card.skills} none={t('none')} />
    case 'checks':
      return card.checks.length === 0 ? (
        <Empty>{t('none')}</Empty>
      ) : (
        card.checks.map((check) => (
          <code key={check} className={css.line}>
            {check}
          </code>
        ))
      )
    case 'goal':
      return <Goal card={card} />
    case 'workspace':
      return <Place workspace={card.workspace} />
    case 'maxRuntimeMs':
      return card.maxRuntimeMs === null ? <Empty>{t('byBoard')}</Empty> : formatSpan(language, card.maxRuntimeMs)
    case 'maxRetries':
      return card.maxRetries === null ? (
        <Empty>{t('byBoardLimit', { n: card.retryLimit.value })}</Empty>
      ) : (
        formatNumber(language, card.maxRetries)
      )
    case 'scheduledAt':
      return card.scheduledAt === null ? <Empty>{t('none')}</Empty> : formatMoment(language, card.scheduledAt, now)
    case 'branch':
    case 'base':
      return card[name] === null ? <Empty>{t('none')}</Empty> : <code className={css.line}>{card[name]}</code>
    default:
      return card[name] ?? <Empty>{t('none')}</Empty>
  }
}

const Empty = ({ children }: { readonly children: string }) => <span className={css.empty}>{children}</span>

const Agent = ({ name, none }: { readonly name: string | null; readonly none: string }) =>
  name === null ? (
    <Empty>{none}</Empty>
  ) : (
    <span className={css.agent}>
      <Avatar agent={name} />
      <span className={css.name}>{name}</span>
    </span>
  )

const Words = ({ words, none }: { readonly words: readonly string[]; readonly none: string }) =>
  words.length === 0 ? (
    <Empty>{none}</Empty>
  ) : (
    <span className={css.words}>
      {words.map((word) => (
        <Tag key={word}>{word}</Tag>
      ))}
    </span>
  )

function Goal({ card }: Pick<Props, 'card'>) {
  const t = useMessages(fieldMessages)
  const goal = goalOf(card)
  if (goal === null) return <Empty>{t('none')}</Empty>
  return (
    <>
      {t(`goal_${goal.judge}`)}, {t('atMostTurns', { n: goal.maxTurns })}
    </>
  )
}

function Place({ workspace: { kind, path, repo } }: Pick<CardDetails, 'workspace'>) {
  const t = useMessages(fieldMessages)
  const place = kind === 'dir' ? path : repo
  return (
    <>
      {t(`kind_${kind}`)}
      {kind !== 'scratch' && place !== null && (
        <code className={css.line} title={place}>
          {place}
        </code>
      )}
    </>
  )
}
