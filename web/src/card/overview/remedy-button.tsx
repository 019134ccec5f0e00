import { Terminal } from 'lucide-react'
import { Link } from 'wouter'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { settingsPath } from '../../routes/paths.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { showToast } from '../../ui/toasts.ts'
import { formOf, nameOf } from '../actions/action-forms.ts'
import { ACTION_ICONS } from '../actions/action-icons.tsx'
import { actionMessages } from '../actions/messages.ts'
import { useCardActions } from '../actions/use-card-actions.tsx'
import type { CardDetails } from '../card-details.ts'
import { fieldMessages } from '../fields/messages.ts'
import type { FieldName } from '../fields/field-list.ts'
import { overviewMessages } from './messages.ts'
import css from './overview.module.css'
import { remedyStep } from './remedy-steps.ts'
import type { Remedy, RemedyStep } from './remedy-steps.ts'

export type EditField = (field: FieldName | 'body') => void

interface Props {
  readonly card: CardDetails
  readonly remedy: Remedy
  readonly onEdit: EditField
}

export function RemedyButton({ card, remedy, onEdit }: Props) {
  // The comparison of entries has the buttons for other cards and for the pick.
  if (remedy.input['task'] !== undefined && remedy.input['task'] !== card.id && card.tournament !== null) return null
  const step = remedyStep(remedy, card)
  if (step === null || step.by === 'approve_commands') return null
  if (step.by === 'command') return <Command line={step.line} />
  if (step.by === 'board_settings') return <BoardSettings />
  if (step.by === 'field') return <FieldButton field={step.field} onEdit={onEdit} />
  if (step.by === 'action') return <ActionButton card={card} step={step} />
  return <OtherButton card={card} step={step} />
}

type StepBy<By extends RemedyStep['by']> = Extract<RemedyStep, { by: By }>

function Command({ line }: { readonly line: string }) {
  const t = useMessages(overviewMessages)
  return (
    <div className={css.command}>
      <span className={css.hint}>
        <Terminal /> {t('inTerminal')}
      </span>
      <CodeBlock wraps>{line}</CodeBlock>
    </div>
  )
}

function BoardSettings() {
  const t = useMessages(overviewMessages)
  return (
    <Link className={css.link} href={settingsPath('boards')}>
      {t('boardSettings')}
    </Link>
  )
}

function FieldButton({ field, onEdit }: { readonly field: FieldName | 'body'; readonly onEdit: EditField }) {
  const t = useMessages(overviewMessages)
  const tField = useMessages(fieldMessages)
  const name = field === 'body' ? t('description') : tField(field)
  return (
    <Button size="small" writes onClick={() => onEdit(field)}>
      {tField('change', { field: name })}
    </Button>
  )
}

function ActionButton({
  card,
  step: { action, isReset },
}: {
  readonly card: CardDetails
  readonly step: StepBy<'action'>
}) {
  const t = useMessages(actionMessages)
  const { start, send, busy } = useCardActions()
  const isAsked = formOf(action, card) !== null && !isReset
  return (
    <Button
      size="small"
      writes
      isBusy={busy === action}
      icon={ACTION_ICONS[action]}
      onClick={() => (isReset ? void send(action, { reset: 'true' }) : start(action))}
    >
      {t(nameOf(action, card))}
      {isAsked && '…'}
    </Button>
  )
}

type Other = StepBy<'fresh_workspace' | 'resume' | 'unarchive_board'>

function OtherButton({ card, step }: { readonly card: CardDetails; readonly step: Other }) {
  const t = useMessages(overviewMessages)
  const language = useLanguage()
  const command = useCommand({
    run: () => sendStep(card, step),
    cards: () => [card.id],
    refresh: () => [keys.card(card.id), keys.pauses],
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
  const name =
    step.by === 'resume'
      ? t('resume', { name: step.name })
      : t(step.by === 'fresh_workspace' ? 'freshWorkspace' : 'unarchiveBoard')
  return (
    <Button size="small" writes isBusy={command.isPending} onClick={() => command.mutate(undefined)}>
      {name}
    </Button>
  )
}

const PAUSED_KINDS = ['machine', 'board', 'agent', 'account'] as const

function sendStep({ id: task }: CardDetails, step: Other): Promise<unknown> {
  if (step.by === 'fresh_workspace') return client.edit({ task, freshWorkspace: true })
  if (step.by === 'unarchive_board') return client.boardsUnarchive({ slug: step.board })
  const kind = PAUSED_KINDS.find((one) => one === step.kind) ?? 'agent'
  return client.resume({ kind, name: step.name })
}
