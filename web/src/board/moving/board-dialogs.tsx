/** The dialogs for the actions on the cards of a board. */
import { useState } from 'react'
import type { BoardCard } from '../../api/queries.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Field, Input, TextArea, TextField } from '../../ui/field.tsx'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import { useValue } from '../../app-state/use-value.ts'
import { dialogRequest } from '../actions/requests.ts'
import type { DialogRequest } from '../actions/requests.ts'
import type { CardSteps } from '../actions/use-card-steps.ts'
import { focusCard } from '../keyboard/focus.ts'
import { AskDialog } from './ask-dialog.tsx'
import { dialogWords } from './dialog-words.ts'
import { movingMessages } from './messages.ts'
import type { Moves } from './use-moves.ts'

interface Props {
  readonly moves: Moves
  readonly steps: CardSteps
}

const titlesOf = (cards: readonly BoardCard[]): readonly string[] => cards.map(({ title }) => title)
const naming = (cards: readonly BoardCard[]) => ({ n: cards.length, title: cards[0]?.title ?? '' })

export function BoardDialogs(props: Props) {
  const request = useValue(dialogRequest)
  if (request === null) return null
  const first = request.kind === 'move' ? request.moves[0]?.card : request.cards[0]
  const close = (): void => {
    dialogRequest.set(null)
    if (first !== undefined) setTimeout(() => focusCard(first.id), 0)
  }
  return <Shown {...props} request={request} close={close} />
}

interface ShownProps extends Props {
  readonly request: DialogRequest
  readonly close: () => void
}

function Shown({ request, ...props }: ShownProps) {
  switch (request.kind) {
    case 'move':
      return <MoveDialog {...props} request={request} />
    case 'labels':
      return <LabelsDialog {...props} cards={request.cards} />
    case 'schedule':
      return <ScheduleDialog {...props} cards={request.cards} />
    case 'delete':
      return <DeleteDialog {...props} cards={request.cards} />
  }
}

type MoveRequest = Extract<DialogRequest, { kind: 'move' }>

function MoveDialog({
  request: { moves: planned, place },
  moves,
  close,
}: Omit<ShownProps, 'request'> & { readonly request: MoveRequest }) {
  const t = useMessages(movingMessages)
  const [text, setText] = useState('')
  const firstField = useFirstFocus()
  const words = dialogWords(planned)
  const cards = planned.map(({ card }) => card)
  const { label } = words
  return (
    <AskDialog
      title={t(words.title, naming(cards))}
      submit={t(words.submit)}
      notes={words.notes.map((note) => t(note))}
      titles={titlesOf(cards)}
      onClose={close}
      onSubmit={() => {
        if (words.isRequired && text.trim() === '') return false
        moves.apply(planned, text.trim(), place)
        return true
      }}
    >
      {label === null
        ? () => null
        : (error) => (
            <TextArea
              ref={firstField}
              label={t(label)}
              {...(!words.isRequired && { remark: t('optional') })}
              error={error}
              value={text}
              rows={3}
              onChange={(event) => setText(event.target.value)}
            />
          )}
    </AskDialog>
  )
}

interface CardsProps extends Omit<ShownProps, 'request'> {
  readonly cards: readonly BoardCard[]
}

function LabelsDialog({ cards, steps, close }: CardsProps) {
  const t = useMessages(movingMessages)
  const [text, setText] = useState('')
  const firstField = useFirstFocus()
  const labels = text
    .split(/[,，、]/)
    .map((label) => label.trim())
    .filter((label) => label !== '')
  return (
    <AskDialog
      title={t('labelsTitle', naming(cards))}
      submit={t('addLabels')}
      notes={[]}
      titles={titlesOf(cards)}
      onClose={close}
      onSubmit={() => {
        if (labels.length > 0) steps.addLabels(cards, labels)
        return labels.length > 0
      }}
    >
      {(error) => (
        <TextField
          ref={firstField}
          label={t('labelsLabel')}
          hint={t('labelsHint')}
          error={error}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </AskDialog>
  )
}

function ScheduleDialog({ cards, steps, close }: CardsProps) {
  const t = useMessages(movingMessages)
  const [when, setWhen] = useState('')
  const firstField = useFirstFocus()
  return (
    <AskDialog
      title={t('scheduleTitle', naming(cards))}
      submit={t('schedule')}
      notes={cards.some(({ run }) => run !== null) ? [t('endsRun')] : []}
      titles={titlesOf(cards)}
      onClose={close}
      onSubmit={() => {
        const at = when === '' ? null : new Date(when).getTime()
        steps.send(cards, { name: 'schedule', input: { at } }, 'moved')
        return true
      }}
    >
      {() => (
        <Field label={t('whenLabel')} remark={t('optional')} hint={t('whenHint')}>
          {(control) => (
            <Input
              {...control}
              ref={firstField}
              type="datetime-local"
              value={when}
              onChange={(event) => setWhen(event.target.value)}
            />
          )}
        </Field>
      )}
    </AskDialog>
  )
}

function DeleteDialog({ cards, steps, close }: CardsProps) {
  const t = useMessages(movingMessages)
  return (
    <AskDialog
      title={t('deleteTitle', naming(cards))}
      submit={t('delete')}
      isDanger
      notes={[t('deleteText')]}
      titles={titlesOf(cards)}
      onClose={close}
      onSubmit={() => {
        steps.removeNow(cards)
        return true
      }}
    />
  )
}
