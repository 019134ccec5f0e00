import type { InboxItem } from '../../api/queries.ts'
import { useNow } from '../../app-state/use-now.ts'
import { reasonLine } from '../../cards/reason-line.ts'
import { formatList, formatMoney, formatSpan } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { detailMessages } from '../detail-messages.ts'
import { outcomeOf } from '../outcome.ts'
import { Section } from './section.tsx'

/**
 * Shows what follows the person's action: the next attempt, cards that can then start, and what still blocks the card.
 */
export function WhatHappens({ item }: { readonly item: InboxItem }) {
  const t = useMessages(detailMessages)
  if (item.kind === 'account' && item.agents.length === 0) return null
  return (
    <Section title={t(titleOf(item))}>
      <p>
        <Outcome item={item} /> <StillWaits item={item} /> <Spent item={item} />
      </p>
    </Section>
  )
}

const titleOf = ({ kind }: InboxItem): 'ifAnswer' | 'ifApprove' | 'ifAct' =>
  kind === 'question' ? 'ifAnswer' : kind === 'review' || kind === 'approval' ? 'ifApprove' : 'ifAct'

function Outcome({ item }: { readonly item: InboxItem }) {
  const t = useMessages(detailMessages)
  const language = useLanguage()
  const outcome = outcomeOf(item)
  switch (outcome.is) {
    case 'answer':
    case 'retry':
    case 'unblock':
      return t(outcome.is, { attempt: outcome.attempt })
    case 'approveCommands':
      return t('approveCommands', { user: outcome.user, host: outcome.host })
    case 'resume':
      return t('resume', { n: outcome.agents.length, agents: formatList(language, outcome.agents) })
    default:
      return t(outcome.is)
  }
}

/** Reasons that block nothing, because the work is finished. */
const OVER: ReadonlySet<string> = new Set(['finished', 'deleted'])

function StillWaits({ item: { otherReasons, waitedFor, kind } }: { readonly item: InboxItem }) {
  const t = useMessages(detailMessages)
  const language = useLanguage()
  const now = useNow()
  const first = otherReasons.find(({ code }) => !OVER.has(code))
  if (first !== undefined) return t('stillWaits', { reason: reasonLine(first, { language, now }) })
  return kind === 'review' && waitedFor > 0 ? t('unlocks', { n: waitedFor }) : null
}

/** Shorter durations are not shown. */
const SHORT_MS = 1_000

function Spent({ item: { spent } }: { readonly item: InboxItem }) {
  const t = useMessages(detailMessages)
  const language = useLanguage()
  if (spent === null || spent.durationMs < SHORT_MS) return null
  const time = formatSpan(language, spent.durationMs)
  return spent.costUsd === null
    ? t('spentTime', { time })
    : t('spent', { time, cost: formatMoney(language, spent.costUsd) })
}
