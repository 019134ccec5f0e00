/** Shows the changed files, and the branch on which they have landed. */
import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { ACTION_ICONS } from '../actions/action-icons.tsx'
import { legalActions } from '../actions/legal-actions.ts'
import { actionMessages } from '../actions/messages.ts'
import { useCardActions } from '../actions/use-card-actions.tsx'
import type { CardDetails, TabProps } from '../card-details.ts'
import { diffBlocks } from './diff-bars.ts'
import { DiffCount } from './diff-count.tsx'
import { overviewMessages } from './messages.ts'
import css from './overview.module.css'
import { changesQuery, FILES_SHOWN } from './queries.ts'
import { Section } from './section.tsx'

interface Props extends TabProps {
  /** Opens the changes of a file. Null opens the changes of all files. */
  readonly onChanges: (file: string | null) => void
}

export function ChangesSection({ card, onChanges }: Props) {
  const t = useMessages(overviewMessages)
  const { workspace } = card
  const hasWork = workspace.kind === 'worktree' && workspace.base !== null && card.branch !== null
  const { data } = useQuery({ ...changesQuery(card.id), enabled: hasWork })
  const last = card.runs.findLast(({ changes }) => changes !== null)?.changes ?? null
  const total = data?.total ?? last
  if (!hasWork || total === null || (total.files === 0 && card.landed === null)) return null
  const files = data?.files.slice(0, FILES_SHOWN) ?? []
  const more = total.files - files.length
  return (
    <Section title={t('changes')} note={<DiffCount {...total} />}>
      {total.files > 0 && (
        <div className={css.box}>
          {files.map(({ path, added, removed }) => (
            <button key={path} type="button" className={css.line} onClick={() => onChanges(path)}>
              <FileText />
              <code className={css.name}>{path}</code>
              <span className={css.end}>
                {added === null && removed === null ? (
                  t('binary')
                ) : (
                  <>
                    <DiffCount added={added} removed={removed} />
                    <DiffBars added={added ?? 0} removed={removed ?? 0} />
                  </>
                )}
              </span>
            </button>
          ))}
          {more > 0 && (
            <button type="button" className={css.line} onClick={() => onChanges(null)}>
              <span className={css.name}>
                {files.length === 0 ? t('viewFiles', { n: more }) : t('moreFiles', { n: more })}
              </span>
            </button>
          )}
        </div>
      )}
      <Landing card={card} />
      {last?.note != null && <p className={css.failure}>{last.note}</p>}
    </Section>
  )
}

/** Shows the size of a change at a glance. The numbers beside it have the same information. */
const DiffBars = (counts: { readonly added: number; readonly removed: number }) => (
  <span className={css.bars} aria-hidden="true">
    {diffBlocks(counts.added, counts.removed).map((block, at) => (
      // The index is the key, because a block has no other identity than its place.
      <span key={at} className={block === 'none' ? undefined : css[block]} />
    ))}
  </span>
)

function Landing({ card }: { readonly card: CardDetails }) {
  const t = useMessages(overviewMessages)
  const tAction = useMessages(actionMessages)
  const { start, busy } = useCardActions()
  const { landed, branch } = card
  const canLand = legalActions(card).includes('land')
  return (
    <>
      <div className={css.landing}>
        <p className={css.hint}>
          {landed === null
            ? t('notLanded')
            : t.rich(card.hasUnlandedWork ? 'landedPartly' : 'landed', {
                commit: <code title={landed.commit}>{landed.commit.slice(0, 7)}</code>,
                branch: <code>{landed.into}</code>,
                time: <RelativeTime at={landed.at} as="relative" />,
              })}
        </p>
        {canLand && (
          <Button size="small" writes isBusy={busy === 'land'} icon={ACTION_ICONS.land} onClick={() => start('land')}>
            {tAction('do_land')}…
          </Button>
        )}
      </div>
      <div className={css.command}>
        <span className={css.hint}>{t('checkout', { branch: branch ?? '' })}</span>
        <CodeBlock wraps>{`muster checkout ${card.id}`}</CodeBlock>
      </div>
    </>
  )
}
