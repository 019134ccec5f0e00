/** Shows the evidence about finished work: checks, changes and cost. */
import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { formatMoney } from '../../i18n/format.ts'
import { formatNumber } from '../../i18n/messages.ts'
import { classNames } from '../../ui/class-names.ts'
import { actionMessages } from '../action-messages.ts'
import type { CardItem } from '../card-item.ts'
import css from '../item.module.css'

interface DiffProps {
  readonly added: number
  readonly removed: number
}

export function DiffCount({ added, removed }: DiffProps) {
  const language = useLanguage()
  return (
    <span className={css.diff}>
      <ins>+{formatNumber(language, added)}</ins> <del>−{formatNumber(language, removed)}</del>
    </span>
  )
}

/** Shows the evidence. `spends` also shows the number of waiting cards. */
export function Proof({
  item: { work, spent, waitedFor },
  isFailed = false,
}: {
  readonly item: CardItem
  readonly isFailed?: boolean
}) {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  const { checks = null, changes = null } = work ?? {}
  const cost = spent?.costUsd ?? null
  return (
    <span className={css.proof}>
      {checks !== null && <Checks passed={checks.passed} total={checks.total} />}
      {changes !== null && !isFailed && (
        <>
          <DiffCount {...changes} />
          <span>{t('files', { n: changes.files })}</span>
        </>
      )}
      {cost !== null && (
        <span>{isFailed ? t('soFar', { cost: formatMoney(language, cost) }) : formatMoney(language, cost)}</span>
      )}
      {waitedFor > 0 && <span>{t('waitedFor', { n: waitedFor })}</span>}
    </span>
  )
}

function Checks({ passed, total }: { readonly passed: number; readonly total: number }) {
  const t = useMessages(actionMessages)
  const isOk = passed === total
  return (
    <span className={classNames(css.checks, isOk ? css.ok : css.bad)}>
      {isOk ? <ShieldCheck /> : <ShieldAlert />}
      {t('checks', { passed, total })}
    </span>
  )
}
