/** Shows the second line of a card: what its agent does, or why the card waits. */
import {
  Ban,
  Bot,
  Calendar,
  CircleHelp,
  Clock,
  Eye,
  GitBranch,
  Link2,
  Pause,
  ShieldCheck,
  SquareTerminal,
  TriangleAlert,
  Users,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ReasonView } from '../../../src/client/index.ts'
import type { Gate } from '../../../src/core/reasons/reason.ts'
import { outputTimeOf } from '../api/output-times.ts'
import type { BoardCard } from '../api/queries.ts'
import { useNow } from '../app-state/use-now.ts'
import { reasonPieces, toneOf } from '../cards/reason-line.ts'
import { formatExact, formatSpan } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { classNames } from '../ui/class-names.ts'
import css from './card-state.module.css'
import { boardMessages } from './messages.ts'
import { silenceOf } from './run-silence.ts'

const ICONS: Readonly<Partial<Record<Gate, LucideIcon>>> = {
  triage: CircleHelp,
  blocked: CircleHelp,
  parents: Link2,
  hold: Pause,
  schedule: Calendar,
  command_approval: SquareTerminal,
  assignee: Bot,
  reviewer: Eye,
  harness: Bot,
  skill: Bot,
  model: Bot,
  branch: GitBranch,
  paused: Pause,
  account_paused: Clock,
  cap: Users,
  machine: Ban,
}

/** Shows the checks and the changes of finished work. */
function Proof({ work: { checks, changes } }: { readonly work: NonNullable<BoardCard['work']> }) {
  const t = useMessages(boardMessages)
  if (checks === null && changes === null) return null
  return (
    <p className={css.proof}>
      {checks !== null && (
        <span className={checks.passed === checks.total ? css.passed : css.failedChecks} title={t('checks', checks)}>
          <ShieldCheck />
          {checks.passed}/{checks.total}
        </span>
      )}
      {changes !== null && (
        <>
          <span className={css.diff}>
            <ins>+{changes.added}</ins> <del>−{changes.removed}</del>
          </span>
          <span>{t('files', { n: changes.files })}</span>
        </>
      )}
    </p>
  )
}

export function CardState({ card: { run, reason, work } }: { readonly card: BoardCard }) {
  if (run !== null) return <RunLine run={run} />
  const proof = work === null ? null : <Proof work={work} />
  if (reason === null) return proof
  return (
    <>
      <ReasonLine reason={reason} />
      {/* For a person who reviews the work, the card shows whether its checks passed. */}
      {reason.code === 'review_by_person' && proof}
    </>
  )
}

function ReasonLine({ reason }: { readonly reason: ReasonView }) {
  const language = useLanguage()
  const now = useNow()
  const tone = toneOf(reason)
  const Icon = tone === 'bad' ? TriangleAlert : (ICONS[reason.gate] ?? Clock)
  return (
    <p
      className={classNames(css.why, tone === 'act' && css.act, tone === 'bad' && css.bad)}
      title={reason.until === null ? undefined : formatExact(language, reason.until)}
    >
      <Icon />
      <span className={css.text}>
        {reasonPieces(reason, { language, now }).map((piece, at) =>
          // The index can be the key, because the pieces never change their order.
          typeof piece === 'string' ? piece : <b key={at}>{piece.name}</b>,
        )}
      </span>
    </p>
  )
}

function RunLine({ run }: { readonly run: NonNullable<BoardCard['run']> }) {
  const t = useMessages(boardMessages)
  const language = useLanguage()
  const now = useNow()
  // Only agents can be silent for too long. A run of a person prints nothing.
  const silence = run.kind === 'manual' ? null : silenceOf({ ...run, seenAt: outputTimeOf(run.id) }, now)
  if (silence !== null)
    return (
      <p className={classNames(css.why, css.act)}>
        <span className={classNames(css.beat, css.quiet)} />
        <span className={css.text}>{t('silent', { span: formatSpan(language, silence) })}</span>
      </p>
    )
  return (
    <p className={css.line}>
      <span className={css.beat} />
      {run.lastOutput === null ? (
        <span>{run.kind === 'manual' ? t('claimed', { by: run.by }) : t('starting')}</span>
      ) : (
        <code className={css.output}>{run.lastOutput}</code>
      )}
    </p>
  )
}
