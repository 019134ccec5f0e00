import { isRunning, isSatisfied } from '../../../../src/core/status.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Facts } from '../../page/facts.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import type { TabProps } from '../card-details.ts'
import { plainText } from '../../ui/plain-text.ts'
import { handOffOf, lastFailure, metadataText } from './hand-off.ts'
import { overviewMessages } from './messages.ts'
import css from './overview.module.css'
import { Section } from './section.tsx'
import { tellingLines } from './telling-lines.ts'

export function HandOffSection({ card }: TabProps) {
  const t = useMessages(overviewMessages)
  const handOff = handOffOf(card)
  // Shows the failure only for finished or running cards. For a waiting card, its reason already describes the failure.
  const failure = isSatisfied(card.status) || isRunning(card.status) ? lastFailure(card) : null
  return (
    <>
      {handOff !== null && (
        <Section
          title={t('summary')}
          note={
            handOff.by !== null &&
            handOff.at !== null &&
            t.rich('byAt', { name: handOff.by, time: <RelativeTime at={handOff.at} as="relative" /> })
          }
        >
          {handOff.summary !== null && <Markdown text={handOff.summary} />}
          {handOff.result !== null && (
            <details className={css.fold}>
              <summary>{t('wholeResult')}</summary>
              <Markdown text={handOff.result} />
            </details>
          )}
          {handOff.metadata !== null && (
            <Facts
              facts={Object.entries(handOff.metadata).map(([name, value]) => ({
                name,
                value: <span className={css.metadata}>{metadataText(value)}</span>,
                isCode: typeof value !== 'string',
              }))}
            />
          )}
        </Section>
      )}
      {failure !== null && (
        <Section title={t('lastFailure')}>
          <p className={css.failure}>{tellingLines(plainText(failure)).lines.join('\n')}</p>
        </Section>
      )}
    </>
  )
}
