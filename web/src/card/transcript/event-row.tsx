/**
 * Describes in a sentence what Muster did during the run, such as starting it, running checks, or asking the agent to
 * continue.
 */
import { ChevronRight, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import { useNow } from '../../app-state/use-now.ts'
import { eventLine } from '../../cards/event-lines.ts'
import type { EventTone } from '../../cards/event-lines.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { classNames } from '../../ui/class-names.ts'
import { plainText } from '../../ui/plain-text.ts'
import { transcriptMessages } from './messages.ts'
import { OutputBox } from './output-box.tsx'
import { detailOf } from './row-look.ts'
import type { RowOf } from './row-pages.ts'
import type { RowProps } from './row-props.ts'
import css from './rows.module.css'

const TONES: Readonly<Record<EventTone, string | undefined>> = {
  good: css.good,
  bad: css.bad,
  act: css.act,
  quiet: undefined,
}

export function EventRow({ row, card, source, isOpen, onToggle, wraps, find }: RowProps<RowOf<'event'>>) {
  const t = useMessages(transcriptMessages)
  const language = useLanguage()
  const now = useNow()
  const agents = new Map(card.runs.map(({ id, agent, claimedBy }) => [id, agent ?? claimedBy]))
  const agentOf = (run: string): string | null => agents.get(run) ?? null
  const { pieces, note, tone } = eventLine(row.event, { language, now, ownCard: t('thisCard'), agentOf })
  const detail = detailOf(row)
  const Icon = tone === 'good' ? CircleCheck : tone === 'quiet' ? Info : TriangleAlert
  const sentence = (
    <>
      <Icon className={TONES[tone]} />
      <span className={classNames(css.sentence, TONES[tone])}>
        {pieces
          .map((piece) => (typeof piece === 'string' ? piece : piece.is === 'name' ? piece.text : piece.id))
          .join('')}
        {note !== null && detail === null && <span className={css.remark}> · {plainText(note)}</span>}
      </span>
    </>
  )
  if (detail === null) return <div className={css.note}>{sentence}</div>
  const lines = detail.split('\n').length
  return (
    <>
      <button type="button" className={css.note} aria-expanded={isOpen} onClick={() => onToggle(row.n)}>
        <ChevronRight className={css.chevron} />
        {sentence}
      </button>
      {isOpen && (
        <OutputBox
          source={source}
          row={row.n}
          part="output"
          excerpt={{ text: detail, lines, isWhole: true }}
          label={t('outputOf', { title: t('check') })}
          wraps={wraps}
          find={find}
        />
      )}
    </>
  )
}
