/** Runs the actions of the open card: asks for texts, sends the command and shows the result. */
import { createContext, useContext, useState } from 'react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { useCommand } from '../../api/use-command.ts'
import type { ClientError, Outputs } from '../../../../src/client/index.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { cardPath } from '../../routes/paths.ts'
import { showToast } from '../../ui/toasts.ts'
import type { CardDetails } from '../card-details.ts'
import { ActionDialog } from './action-dialog.tsx'
import { formOf, runAction } from './action-forms.ts'
import type { Values } from './action-forms.ts'
import type { CardAction } from './legal-actions.ts'
import { actionMessages } from './messages.ts'
import { notePending } from './pending-actions.ts'

interface Sent {
  readonly action: CardAction
  readonly values: Values
}

export interface CardActions {
  /** Runs the action. If it needs texts, opens a dialog first. */
  readonly start: (action: CardAction) => void
  /**
   * Runs the action with texts that the person has already entered. Resolves to true if the server accepted the
   * command.
   */
  readonly send: (action: CardAction, values?: Values) => Promise<boolean>
  /** The action that is being sent. Null means that no action is being sent. */
  readonly busy: CardAction | null
}

const ActionsContext = createContext<CardActions | null>(null)

export function useCardActions(): CardActions {
  const actions = useContext(ActionsContext)
  if (actions === null) throw new Error('useCardActions needs the CardActionsProvider around it')
  return actions
}

interface Props {
  readonly card: CardDetails
  readonly children: ReactNode
}

export function CardActionsProvider({ card, children }: Props) {
  const [asked, setAsked] = useState<CardAction | null>(null)
  const onDone = useOutcome(card)
  const onRefusal = useRefusal(card)
  const command = useCommand<Sent, unknown>({
    run: ({ action, values }) => runAction(client, action, card, values),
    cards: () => [card.id],
    refresh: () => [keys.card(card.id)],
    onDone: (output, { action }) => onDone(action, output),
    onRefusal: (error, { action }) => {
      // If a dialog shows the refusal, it is not reported again.
      if (asked !== action || error.code === 'pending') onRefusal(action, error)
    },
  })
  const send = (action: CardAction, values: Values = {}): Promise<boolean> =>
    command.mutateAsync({ action, values }).then(
      () => true,
      (error: unknown) => isPending(error),
    )
  const start = (action: CardAction): void => {
    command.reset()
    if (formOf(action, card) === null) void send(action)
    else setAsked(action)
  }
  const form = asked === null ? null : formOf(asked, card)
  const busy = command.isPending ? command.variables.action : null
  return (
    <ActionsContext value={{ start, send, busy }}>
      {children}
      {asked !== null && form !== null && (
        <ActionDialog
          key={asked}
          action={asked}
          form={form}
          cardTitle={card.title}
          isBusy={command.isPending}
          error={isPending(command.error) ? null : command.error}
          onClose={() => setAsked(null)}
          onSend={(values) => void send(asked, values).then((isSent) => isSent && setAsked(null))}
        />
      )}
    </ActionsContext>
  )
}

const isPending = (error: unknown): boolean => (error as Partial<ClientError> | null)?.code === 'pending'

function useOutcome(card: CardDetails): (action: CardAction, output: unknown) => void {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  const [, navigate] = useLocation()
  const undoing = useCommand({
    run: (undo: () => Promise<unknown>) => undo(),
    cards: () => [card.id],
    refresh: () => [keys.card(card.id)],
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
  const undoable = (text: string, undo: () => Promise<unknown>): void =>
    void showToast({ kind: 'done', text, action: { label: t('undo'), onChoose: () => undoing.mutate(undo) } })
  const { id: task, title } = card
  return (action, output) => {
    if (action === 'archive') undoable(t('done_archive', { card: title }), () => client.unarchive({ task }))
    if (action === 'delete') undoable(t('done_delete', { card: title }), () => client.undelete({ task }))
    if (action === 'duplicate') {
      const copy = output as Outputs['duplicate']
      showToast({ kind: 'done', text: t('done_duplicate', { card: title }) })
      navigate(cardPath(copy.board, copy.id))
    }
    if (action === 'land') {
      const { outcome, into } = output as Outputs['land']
      showToast({ kind: 'done', text: t(outcome === 'landed' ? 'done_land' : 'done_nothing', { branch: into }) })
    }
  }
}

function useRefusal(card: CardDetails): (action: CardAction, error: ClientError) => void {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  return (action, error) => {
    if (error.code !== 'pending') {
      showToast({
        kind: 'failed',
        text: t('refused', { action: t(`do_${action}`) }),
        note: describeError(error, language),
      })
      return
    }
    const run = error.detail('runId')
    if (run !== null) notePending({ card: card.id, run, action })
    const isChecking = action === 'approve' || action === 'complete'
    showToast({ kind: 'done', text: t(isChecking ? 'pendingChecks' : 'pendingNow') })
  }
}
