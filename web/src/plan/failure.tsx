/** Shows why the planner made no plan, and the remedy. */
import { TriangleAlert } from 'lucide-react'
import type { Question } from '../cards/plans/planner.ts'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { failureKind, failureUsage } from './failure-kind.ts'
import { planMessages } from './messages.ts'
import css from './plan.module.css'
import { useUsageText } from './usage-text.ts'

interface Props {
  readonly question: Extract<Question, { is: 'failed' }>
  readonly onRetry: () => void
}

/** The model that needs no key, for the file config.yaml. */
const EXAMPLE = 'models:\n  planner: { cli: claude }'

export function Failure({ question: { error }, onRetry }: Props) {
  const t = useMessages(planMessages)
  const language = useLanguage()
  const usageText = useUsageText()
  const kind = failureKind(error)
  const usage = failureUsage(error)
  return (
    <div className={css.failure} role="alert">
      <TriangleAlert />
      <div className={css.failureText}>
        <h2 className={css.failureTitle}>{t(`failed_${kind}`)}</h2>
        <p>{describeError(error, language)}</p>
        {kind === 'unconfigured' && (
          <>
            <p className={css.muted}>{t('setUp')}</p>
            <CodeBlock>{EXAMPLE}</CodeBlock>
            <p className={css.muted}>{t('setUpThen')}</p>
          </>
        )}
        {usage !== null && <p className={css.faint}>{t('spent', { usage: usageText(usage) })}</p>}
        <div>
          <Button size="small" writes onClick={onRetry}>
            {t('retry')}
          </Button>
        </div>
      </div>
    </div>
  )
}
