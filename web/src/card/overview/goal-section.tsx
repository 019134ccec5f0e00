/** The goal of the card: its turns, the answer of the judge after each turn, and the next step. */
import { Ban, Check, CircleDashed, CloudOff, RotateCw, Target } from 'lucide-react'
import { useContext, useState } from 'react'
import type { ReactNode } from 'react'
import { formatCompact } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Money, RelativeTime } from '../../ui/time.tsx'
import type { TabProps } from '../card-details.ts'
import { ReadOnlyReason } from '../frame/use-read-only.ts'
import css from './goal.module.css'
import { goalMessages } from './goal-messages.ts'
import { progressOf } from './goal-progress.ts'
import type { GoalProgress, JudgedTurn } from './goal-progress.ts'
import { Section } from './section.tsx'

interface Props extends TabProps {
  readonly onEdit: () => void
}

/** The turns that are shown before the person asks for all. */
const SHOWN = 3

export function GoalSection({ card, onEdit }: Props) {
  const t = useMessages(goalMessages)
  const readOnly = useContext(ReadOnlyReason)
  const [isWhole, setIsWhole] = useState(false)
  const progress = progressOf(card)
  if (progress === null) return null
  const { turn, maxTurns, left, turns, next, judge } = progress
  const shown = isWhole ? turns : turns.slice(0, SHOWN)
  const attempts = new Set(turns.map(({ attempt }) => attempt)).size
  return (
    <Section
      title={t('goal')}
      note={t(judge === 'checks' ? 'byChecks' : 'byModel')}
      actions={
        <Button size="small" look="ghost" writes disabledReason={readOnly} onClick={onEdit}>
          {t('edit')}
        </Button>
      }
    >
      <div className={css.goal}>
        <div className={css.head}>
          <Target />
          <b className={css.turn}>{t('turnOf', { turn, max: maxTurns })}</b>
          <span
            className={css.bar}
            role="progressbar"
            aria-label={t('turnsUsed')}
            aria-valuemin={0}
            aria-valuemax={maxTurns}
            aria-valuenow={turn}
          >
            <span className={css.fill} style={{ inlineSize: `${(100 * turn) / maxTurns}%` }} />
          </span>
        </div>
        <p className={classNames(css.next, css[next])}>{next === 'worksOnMissing' ? t(next, { n: left }) : t(next)}</p>
        <Cost progress={progress} />
      </div>
      {turns.length > 0 && (
        <ol className={css.turns} aria-label={t('turns')}>
          {shown.map((judged) => (
            <TurnRow key={`${judged.run} ${judged.at}`} judged={judged} hasAttempt={attempts > 1} />
          ))}
        </ol>
      )}
      {turns.length > SHOWN && (
        <div>
          <Button size="small" look="ghost" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? t('fewerTurns') : t('allTurns', { n: turns.length })}
          </Button>
        </div>
      )}
    </Section>
  )
}

/** The models of the judge, and what they cost so far. */
function Cost({ progress: { usage, models } }: { readonly progress: GoalProgress }) {
  const t = useMessages(goalMessages)
  const language = useLanguage()
  if (usage === null) return null
  const { inputTokens, outputTokens, costUsd } = usage
  const tokens = (inputTokens ?? 0) + (outputTokens ?? 0)
  return (
    <p className={css.cost}>
      {t('judgeUsed', { model: models.join(', '), tokens: formatCompact(language, tokens) })}
      {costUsd !== null && (
        <>
          {' · '}
          <Money usd={costUsd} />
        </>
      )}
    </p>
  )
}

const ICONS: Readonly<Record<JudgedTurn['answer'], ReactNode>> = {
  done: <Check />,
  continue: <RotateCw />,
  impossible: <Ban />,
  unavailable: <CloudOff />,
}

function TurnRow({ judged, hasAttempt }: { readonly judged: JudgedTurn; readonly hasAttempt: boolean }) {
  const t = useMessages(goalMessages)
  const { turn, answer, reason, missing, at, attempt, by, costUsd } = judged
  return (
    <li className={css.row}>
      <span className={classNames(css.icon, css[answer])}>{ICONS[answer] ?? <CircleDashed />}</span>
      <div className={css.text}>
        <p className={css.rowHead}>
          <b>
            {answer === 'unavailable'
              ? t('answer_unavailable')
              : t('turnAnswer', { turn, answer: t(`answer_${answer}`) })}
          </b>
          <span className={css.facts}>
            {hasAttempt && <span>{t('inAttempt', { attempt })}</span>}
            {by === 'checks' && <span>{t('byChecksShort')}</span>}
            {costUsd !== null && <Money usd={costUsd} />}
            <RelativeTime at={at} as="relative" />
          </span>
        </p>
        {missing.length > 0 ? (
          <ul className={css.missing}>
            {missing.map((point, place) => (
              // The judge may repeat a point, so its place is part of the key.
              <li key={`${place} ${point}`}>{point}</li>
            ))}
          </ul>
        ) : (
          reason !== '' && <p className={css.reason}>{reason}</p>
        )}
      </div>
    </li>
  )
}
