/** The editor of one field. If the server refuses a value, the value stays in its input, with the server's message. */
import { useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { DEFAULT_TURNS, JUDGES, WORKSPACE_KINDS } from '../../../../src/core/vocabulary.ts'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { useCommand } from '../../api/use-command.ts'
import { isRunning } from '../../../../src/core/status.ts'
import { AgentSelect } from '../../cards/agent-select.tsx'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import type { CardDetails } from '../card-details.ts'
import { NO_GOAL, parseField, typedValue } from './field-list.ts'
import type { FieldName } from './field-list.ts'
import css from './fields.module.css'
import { fieldMessages } from './messages.ts'

interface Props {
  readonly name: FieldName
  readonly card: CardDetails
  readonly onClose: () => void
}

/** The fields in which Enter begins a new line. */
const LONG: ReadonlySet<FieldName> = new Set(['checks'])
const HINTS: Partial<Record<FieldName, 'hintWords' | 'hintLines' | 'hintDuration' | 'hintPriority'>> = {
  labels: 'hintWords',
  skills: 'hintWords',
  checks: 'hintLines',
  maxRuntimeMs: 'hintDuration',
  priority: 'hintPriority',
}

export function FieldEditor({ name, card, onClose }: Props) {
  const t = useMessages(fieldMessages)
  const language = useLanguage()
  const [base] = useState(() => typedValue(name, card))
  const [typed, setTyped] = useState(base)
  const [fault, setFault] = useState<string | null>(null)
  const form = useRef<HTMLDivElement>(null)
  const current = typedValue(name, card)
  const command = useCommand({
    run: (value: string) => save(name, value, card),
    cards: () => [card.id],
    refresh: () => [keys.card(card.id)],
    onDone: onClose,
    onRefusal: (error) => setFault(describeError(error, language)),
  })
  const send = (): void => {
    const parsed = parseField(name, typed)
    if ('fault' in parsed) setFault(t(parsed.fault))
    else if (typed.trim() === current.trim()) onClose()
    else command.mutate(typed)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const isSend = event.key === 'Enter' && (!LONG.has(name) || event.metaKey || event.ctrlKey)
    if (isSend && event.target instanceof HTMLInputElement) event.preventDefault()
    if (isSend && !(event.target instanceof HTMLButtonElement)) send()
    // Escape closes only the editor. Otherwise the page's shortcut would close the card.
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }
  const hint = HINTS[name]
  return (
    // The shortcuts of the inputs.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={form} className={css.editor} onKeyDown={onKeyDown} data-editing={name}>
      <Field
        label={<span className={css.hidden}>{t(name)}</span>}
        error={fault}
        hint={current !== base ? t('meanwhile', { value: current === '' ? t('none') : current }) : hint && t(hint)}
      >
        {(control) => <Control name={name} control={control} value={typed} onChange={setTyped} />}
      </Field>
      {name === 'assignee' && isRunning(card.status) && <p className={css.warning}>{t('stopsRun')}</p>}
      <div className={css.buttons}>
        <Button size="small" look="primary" writes isBusy={command.isPending} onClick={send}>
          {t('save')}
        </Button>
        <Button size="small" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </div>
  )
}

function save(name: FieldName, typed: string, { id: task, status }: CardDetails): Promise<unknown> {
  const parsed = parseField(name, typed)
  if ('fault' in parsed) return Promise.reject(new Error(parsed.fault))
  const { assignee } = parsed.change
  if (typeof assignee === 'string' && isRunning(status)) return client.reassign({ task, assignee, reclaim: true })
  return client.update({ task, ...parsed.change })
}

interface ControlProps {
  readonly name: FieldName
  readonly control: Parameters<Parameters<typeof Field>[0]['children']>[0]
  readonly value: string
  readonly onChange: (value: string) => void
}

function Control({ name, control, value, onChange }: ControlProps): ReactNode {
  const t = useMessages(fieldMessages)
  if (name === 'assignee' || name === 'reviewer')
    return (
      <AgentSelect
        {...control}
        label={t(name)}
        value={value}
        onChange={onChange}
        none={{ label: t(name === 'assignee' ? 'noAgent' : 'byBoard') }}
      />
    )
  if (name === 'workspace') return <WorkspaceControl control={control} value={value} onChange={onChange} />
  if (name === 'goal') return <GoalControl control={control} value={value} onChange={onChange} />
  if (LONG.has(name))
    return (
      <Textarea
        {...control}
        rows={3}
        className={css.code}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return (
    <Input
      {...control}
      spellCheck={false}
      {...(name === 'priority' || name === 'maxRetries' ? { inputMode: 'numeric' as const } : {})}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function WorkspaceControl({ control, value, onChange }: Omit<ControlProps, 'name'>) {
  const t = useMessages(fieldMessages)
  const [kind = 'scratch', ...rest] = value.split(':')
  const place = rest.join(':')
  return (
    <div className={css.two}>
      <Select
        {...control}
        label={t('workspace')}
        value={kind}
        options={WORKSPACE_KINDS.map((one) => ({ value: one, label: t(`kind_${one}`) }))}
        onChange={(next) => onChange(next === 'scratch' || place === '' ? next : `${next}:${place}`)}
      />
      {kind !== 'scratch' && (
        <Input
          aria-label={t('place')}
          className={css.code}
          placeholder={t('placeDefault')}
          value={place}
          onChange={(event) => onChange(event.target.value === '' ? kind : `${kind}:${event.target.value}`)}
        />
      )}
    </div>
  )
}

function GoalControl({ control, value, onChange }: Omit<ControlProps, 'name'>) {
  const t = useMessages(fieldMessages)
  const [judge = NO_GOAL, turns = String(DEFAULT_TURNS)] = value.split(' ')
  return (
    <div className={css.two}>
      <Select
        {...control}
        label={t('goal')}
        value={judge}
        options={[
          { value: NO_GOAL, label: t('none') },
          ...JUDGES.map((one) => ({ value: one, label: t(`goal_${one}`) })),
        ]}
        onChange={(next) => onChange(next === NO_GOAL ? next : `${next} ${turns}`)}
      />
      {judge !== NO_GOAL && (
        <Input
          aria-label={t('goalTurns')}
          inputMode="numeric"
          value={turns}
          onChange={(event) => onChange(`${judge} ${event.target.value.trim()}`)}
        />
      )}
    </div>
  )
}
