/** Creates cards in a column from typed titles, one after another. */
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { keys } from '../../api/keys.ts'
import { agentsQuery } from '../../api/queries.ts'
import { useCommand } from '../../api/use-command.ts'
import { useCanWrite } from '../../api/use-live.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { useCreateDialog } from '../../routes/use-create-dialog.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { useBoardInfo } from '../board-context.ts'
import type { LaneName } from '../lanes.ts'
import { createInLane, takesCards } from './create-in-lane.ts'
import { quickMessages } from './messages.ts'
import { complete, completions, parseQuick } from './parse-quick.ts'
import type { QuickCard } from './parse-quick.ts'
import css from './quick-create.module.css'

/** The initial status in the dialog, for each lane. */
const LANE_STATUS: Readonly<Partial<Record<LaneName, string>>> = { triage: 'triage', waiting: 'todo' }

export function QuickCreate({ lane }: { readonly lane: LaneName }) {
  const t = useMessages(quickMessages)
  const { board } = useBoardInfo()
  const canWrite = useCanWrite()
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // A new card needs a board. In the view of all boards, only the dialog can create cards, because it asks for the
  // board.
  if (!takesCards(lane) || board === null) return null
  if (isOpen)
    return (
      <QuickForm
        board={board}
        lane={lane}
        onClose={() => {
          setIsOpen(false)
          requestAnimationFrame(() => button.current?.focus())
        }}
      />
    )
  return (
    <button
      ref={button}
      type="button"
      className={css.open}
      aria-disabled={!canWrite || undefined}
      onClick={() => canWrite && setIsOpen(true)}
    >
      <Plus />
      {t('add')}
    </button>
  )
}

interface FormProps {
  readonly board: string
  readonly lane: LaneName
  readonly onClose: () => void
}

function QuickForm({ board, lane, onClose }: FormProps) {
  const t = useMessages(quickMessages)
  const language = useLanguage()
  const { defaults } = useBoardInfo()
  const dialog = useCreateDialog()
  const { data: agents = [] } = useQuery(agentsQuery)
  const names = agents.map(({ name }) => name)
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const card = parseQuick(text, names)
  const offered = completions(text, names)
  const create = useCommand({
    run: ({ title, assignee }: QuickCard) =>
      createInLane(lane, { ...fieldsOf(defaults), title, ...(assignee !== null && { assignee }) }, board),
    refresh: () => [keys.board(board)],
    onRefusal(refused, { title, assignee }) {
      setError(describeError(refused, language))
      setText((now) => (now === '' ? `${title}${assignee === null ? '' : ` @${assignee}`}` : now))
    },
  })
  const submit = (): void => {
    if (card.title === '') return setError(t('noTitle'))
    setText('')
    setError(null)
    create.mutate(card)
  }
  const openDialog = (): void => {
    onClose()
    dialog.open({
      ...defaults,
      board,
      title: card.title,
      ...(card.assignee !== null && { assignee: card.assignee }),
      ...(LANE_STATUS[lane] !== undefined && { status: LANE_STATUS[lane] }),
    })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const [first] = offered
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Tab' && !event.shiftKey && first !== undefined) setText(complete(text, first))
    else if (event.key === 'Enter' && event.shiftKey) openDialog()
    else if (event.key === 'Enter') submit()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={css.form}>
      <input
        // The person opened this field to type, so it gets the focus at once.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        className={css.input}
        aria-label={t('title')}
        aria-invalid={error !== null || undefined}
        autoComplete="off"
        placeholder={t('placeholder')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setError(null)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => text === '' && onClose()}
      />
      {offered.length > 0 && (
        <div className={css.offered}>
          {offered.map((name) => (
            <button
              key={name}
              type="button"
              className={css.agent}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => setText(complete(text, name))}
            >
              <Avatar agent={name} />
              {name}
            </button>
          ))}
        </div>
      )}
      {error === null ? (
        <p className={css.hint}>{hintOf(t, card, lane)}</p>
      ) : (
        <p className={css.error} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

type Translate = ReturnType<typeof useMessages<(typeof quickMessages)['en']>>

function hintOf(t: Translate, { assignee, unknown }: QuickCard, lane: LaneName): string {
  if (unknown !== null) return t('unknownAgent', { name: unknown })
  if (assignee !== null) return t('forAgent', { name: assignee })
  return t(lane === 'waiting' ? 'hintHeld' : 'hint')
}

/** Converts the fields into the input of `create`. The URL stores lists as text with commas. */
const fieldsOf = ({ assignee, tenant, workflow, labels }: ReturnType<typeof useBoardInfo>['defaults']) => ({
  ...(assignee !== undefined && { assignee }),
  ...(tenant !== undefined && { tenant }),
  ...(workflow !== undefined && { workflow }),
  ...(labels !== undefined && { labels: labels.split(',') }),
})
