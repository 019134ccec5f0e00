import { formatCompact, formatMoney } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import type { PlanUsage } from './failure-kind.ts'
import { planMessages } from './messages.ts'

/** Describes the tokens and the cost of a question: `qwen3 · 1.2k tokens read, 800 written · $0.02`. */
export function useUsageText(): (usage: PlanUsage) => string {
  const t = useMessages(planMessages)
  const language = useLanguage()
  return ({ model, inputTokens, outputTokens, costUsd }) => {
    const count = (tokens: number | null): string => (tokens === null ? '–' : formatCompact(language, tokens))
    const tokens =
      inputTokens === null && outputTokens === null
        ? t('noTokens')
        : t('tokens', { input: count(inputTokens), output: count(outputTokens) })
    return `${t('usage', { model, tokens })}${costUsd === null ? '' : ` · ${formatMoney(language, costUsd)}`}`
  }
}
