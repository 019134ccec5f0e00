import { useQuery } from '@tanstack/react-query'
import type { Outputs } from '../../../../src/client/index.ts'
import { cardQuery, rosterQuery } from '../../api/queries.ts'
import type { InboxItem } from '../../api/queries.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { isCardItem } from '../card-item.ts'
import type { CardItem } from '../card-item.ts'
import { detailMessages } from '../detail-messages.ts'
import { itemQuery } from '../queries.ts'
import { AccountFacts, CardFacts } from './facts.tsx'
import css from './detail.module.css'
import { LastSteps } from './last-steps.tsx'
import { Section } from './section.tsx'
import { WhatHappens } from './what-happens.tsx'

export function DetailSections({ item }: { readonly item: InboxItem }) {
  const t = useMessages(detailMessages)
  if (isCardItem(item)) return <CardSections item={item} />
  return (
    <div className={css.sections}>
      <WhatHappens item={item} />
      <Section title={t('details')}>
        <AccountFacts item={item} />
      </Section>
    </div>
  )
}

/** Longer descriptions are cut here; the page of the card shows them in full. */
const LONGEST_TASK = 6_000

function CardSections({ item }: { readonly item: CardItem }) {
  const t = useMessages(detailMessages)
  const { data: card, error, refetch } = useQuery(cardQuery(item.id))
  const { data: detailed } = useQuery(itemQuery(item.id))
  if (error !== null && card === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  const output = card?.runs.findLast(({ checks }) => checks?.output != null)?.checks?.output ?? null
  const summary = item.kind === 'review' ? (card?.runs.findLast((run) => run.summary !== null)?.summary ?? null) : null
  return (
    <div className={css.pair}>
      <div className={css.sections}>
        <WhatHappens item={item} />
        {summary !== null && (
          <Section title={t('summary')}>
            <Markdown text={summary} />
          </Section>
        )}
        {/* For an approval, the list already shows the script, so the description is left out. */}
        {(item.commands?.body ?? null) === null && (
          <Section title={t('task')}>
            {card === undefined ? <TaskSkeleton label={t('loading')} /> : <Task card={card} />}
          </Section>
        )}
        <Section title={t('details')}>{card !== undefined && <CardFacts item={item} card={card} />}</Section>
      </div>
      <div className={css.sections}>
        <LastSteps item={item} steps={detailed?.steps} />
        {output !== null && output !== '' && (
          <Section title={t('checkOutput')}>
            <CodeBlock wraps>{output}</CodeBlock>
          </Section>
        )}
      </div>
    </div>
  )
}

function Task({ card: { body, assignee } }: { readonly card: Outputs['show'] }) {
  const t = useMessages(detailMessages)
  const { data: roster } = useQuery(rosterQuery)
  if (body === null || body.trim() === '') return <p className={css.quiet}>{t('noTask')}</p>
  const text = body.length > LONGEST_TASK ? `${body.slice(0, LONGEST_TASK)}…` : body
  // Whether the agent runs the description as a script.
  const isScript = roster?.agents.some(({ name, harness }) => name === assignee && harness === 'shell') === true
  return isScript ? <CodeBlock wraps>{text}</CodeBlock> : <Markdown text={text} />
}

const TaskSkeleton = ({ label }: { readonly label: string }) => (
  <div className={css.bones} role="region" aria-busy="true" aria-label={label}>
    <Skeleton width={92} />
    <Skeleton width={84} />
    <Skeleton width={46} />
  </div>
)
