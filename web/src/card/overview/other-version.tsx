/** Shows that someone else changed the description meanwhile. The person chooses a version, and no text is lost. */
import { useState } from 'react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { compareTexts } from './compare-texts.ts'
import { overviewMessages } from './messages.ts'
import css from './overview.module.css'

interface Props {
  readonly mine: string
  readonly theirs: string
  readonly onKeep: () => void
  readonly onTake: () => void
}

export function OtherVersion({ mine, theirs, onKeep, onTake }: Props) {
  const t = useMessages(overviewMessages)
  const [isCompared, setIsCompared] = useState(false)
  return (
    <div className={css.other} role="alert">
      <p>
        <b>{t('otherVersion')}</b> {t('otherVersionText')}
      </p>
      <div className={css.remedies}>
        <Button size="small" onClick={onKeep}>
          {t('keepMine')}
        </Button>
        <Button size="small" onClick={onTake}>
          {t('takeTheirs')}
        </Button>
        <Button size="small" look="ghost" aria-expanded={isCompared} onClick={() => setIsCompared(!isCompared)}>
          {t('compare')}
        </Button>
      </div>
      {isCompared && <Comparison mine={mine} theirs={theirs} />}
    </div>
  )
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const

function Comparison({ mine, theirs }: Pick<Props, 'mine' | 'theirs'>) {
  const t = useMessages(overviewMessages)
  const lines = compareTexts(theirs, mine)
  if (lines === null)
    return (
      <>
        <h4 className={css.small}>{t('theirText')}</h4>
        <CodeBlock wraps>{theirs}</CodeBlock>
      </>
    )
  return (
    <>
      <p className={css.hint}>{t('compareHint')}</p>
      {/* A long comparison can have the focus, so that the keyboard can scroll it. */}
      <pre className={css.comparison} tabIndex={0} role="region" aria-label={t('compare')}>
        {lines.map(({ is, text }, at) => (
          // The index can be the key, because nothing else identifies a line.
          <span key={at} className={css[is]}>
            {SIGNS[is]} {text}
            {'\n'}
          </span>
        ))}
      </pre>
    </>
  )
}
