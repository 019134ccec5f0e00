/** The dialog that adds a series or changes one. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { FormEvent, KeyboardEvent } from 'react'
import { useLocation } from 'wouter'
import { DEFAULT_TURNS, JUDGES, WORKSPACE_KINDS } from '../../../src/core/vocabulary.ts'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import { boardsQuery } from '../api/queries.ts'
import { useCommand } from '../api/use-command.ts'
import { AgentSelect } from '../cards/agent-select.tsx'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { seriesPath } from '../routes/paths.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, TextArea, TextField } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { showToast } from '../ui/toasts.ts'
import { TokenInput } from '../ui/tokens.tsx'
import { seriesMessages } from './messages.ts'
import type { SeriesView } from './queries.ts'
import css from './recurring.module.css'
import { ScheduleFields } from './schedule-fields.tsx'
import { addInput, draftOfSeries, editInput, emptyDraft, faultsOf, isSame, readSeriesDraft } from './series-draft.ts'
import type { SeriesDraft, SeriesFaults } from './series-draft.ts'

interface Props {
  readonly board: string
  /** The series to change. Null adds one. */
  readonly series: SeriesView | null
  readonly onClose: () => void
}

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** A draft belongs to one version of a series, so a draft for an older version is not shown. */
const keyOf = (series: SeriesView | null): string =>
  `muster-series:${series === null ? 'new' : `${series.id}:${series.updatedAt}`}`

export function SeriesForm({ board: first, series, onClose }: Props) {
  const t = useMessages(seriesMessages)
  const language = useLanguage()
  const [, navigate] = useLocation()
  const [key] = useState(() => keyOf(series))
  const [before] = useState(() => (series === null ? emptyDraft(ownZone()) : draftOfSeries(series)))
  const [draft, setDraft] = useState(() => readSeriesDraft(localStorage.getItem(key), before))
  const [board, setBoard] = useState(first)
  const [hasTried, setHasTried] = useState(false)
  useEffect(() => {
    if (isSame(draft, before)) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(draft))
  }, [draft, before, key])
  const command = useCommand({
    run: () =>
      series === null
        ? client.recurAdd(addInput(draft), { board })
        : client.recurEdit({ series: series.id, ...editInput(draft, before) }),
    refresh: () => [keys.series],
    onDone: (saved) => {
      localStorage.removeItem(key)
      showToast({ kind: 'done', text: t(series === null ? 'doneAdd' : 'doneEdit', { title: saved.title }) })
      onClose()
      navigate(seriesPath(saved.id))
    },
  })
  const found = faultsOf(draft)
  const faults = hasTried ? found : {}
  const send = (): void => {
    setHasTried(true)
    if (Object.keys(found).length > 0) return
    if (series !== null && isSame(draft, before)) onClose()
    else command.mutate()
  }
  const change = (part: Partial<SeriesDraft>): void => {
    command.reset()
    setDraft((now) => ({ ...now, ...part }))
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t(series === null ? 'addTitle' : 'editTitle')}
      {...(series === null && { beside: <BoardSelect board={board} onChange={setBoard} /> })}
      footer={
        <>
          {command.error !== null && (
            <p className={css.refusal} role="alert">
              {describeError(command.error, language)}
            </p>
          )}
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look="primary" writes isBusy={command.isPending} onClick={send}>
            {t(series === null ? 'add' : 'save')}
          </Button>
        </>
      }
    >
      <Fields draft={draft} faults={faults} onChange={change} onSend={send} />
    </Dialog>
  )
}

function BoardSelect({ board, onChange }: { readonly board: string; readonly onChange: (board: string) => void }) {
  const t = useMessages(seriesMessages)
  const { data = [] } = useQuery(boardsQuery)
  const open = data.filter(({ archivedAt }) => archivedAt === null)
  if (open.length < 2) return null
  return (
    <Select
      label={t('board')}
      value={board}
      options={open.map(({ slug, name }) => ({ value: slug, label: name }))}
      onChange={onChange}
    />
  )
}

interface FieldsProps {
  readonly draft: SeriesDraft
  readonly faults: SeriesFaults
  readonly onChange: (part: Partial<SeriesDraft>) => void
  readonly onSend: () => void
}

function Fields({ draft, faults, onChange, onSend }: FieldsProps) {
  const t = useMessages(seriesMessages)
  const errorOf = (name: keyof SeriesDraft): string | null => {
    const fault = faults[name]
    return fault === undefined ? null : t(fault)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSend()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && !event.nativeEvent.isComposing) submit(event)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Ctrl+Enter sends the form from every field
    <form className={css.form} noValidate onSubmit={submit} onKeyDown={onKeyDown}>
      <TextField
        label={t('cardTitle')}
        error={errorOf('title')}
        value={draft.title}
        // The person opened the dialog to type the title.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <ScheduleFields draft={draft} errorOf={errorOf} onChange={onChange} />
      <TextArea
        label={t('body')}
        rows={4}
        value={draft.body}
        onChange={(event) => onChange({ body: event.target.value })}
      />
      <div className={css.two}>
        <Field label={t('agent')}>
          {(control) => (
            <AgentSelect
              {...control}
              label={t('agent')}
              value={draft.assignee}
              onChange={(assignee) => onChange({ assignee })}
              none={{ label: t('noAgent') }}
            />
          )}
        </Field>
        <TextField
          label={t('priority')}
          error={errorOf('priority')}
          inputMode="numeric"
          placeholder="0"
          value={draft.priority}
          onChange={(event) => onChange({ priority: event.target.value })}
        />
      </div>
      <TextArea
        label={t('checks')}
        hint={t('checksHint')}
        className={css.mono}
        rows={2}
        spellCheck={false}
        value={draft.checks}
        onChange={(event) => onChange({ checks: event.target.value })}
      />
      <GoalFields draft={draft} errorOf={errorOf} onChange={onChange} />
      <PlaceFields draft={draft} errorOf={errorOf} onChange={onChange} />
      <Field label={t('labels')}>
        {(control) => <TokenInput {...control} values={draft.labels} onChange={(labels) => onChange({ labels })} />}
      </Field>
    </form>
  )
}

interface PartProps {
  readonly draft: SeriesDraft
  readonly errorOf: (name: keyof SeriesDraft) => string | null
  readonly onChange: (part: Partial<SeriesDraft>) => void
}

function GoalFields({ draft: { goal, goalTurns }, errorOf, onChange }: PartProps) {
  const t = useMessages(seriesMessages)
  const choices = ['none', ...JUDGES] as const
  return (
    <div className={css.two}>
      <Field label={t('goal')} error={errorOf('goal')}>
        {(control) => (
          <Select
            {...control}
            label={t('goal')}
            value={goal}
            options={choices.map((value) => ({ value, label: t(`goal_${value}`) }))}
            onChange={(value) => {
              const chosen = choices.find((one) => one === value)
              if (chosen !== undefined) onChange({ goal: chosen })
            }}
          />
        )}
      </Field>
      {goal !== 'none' && (
        <TextField
          label={t('goalTurns')}
          error={errorOf('goalTurns')}
          inputMode="numeric"
          placeholder={String(DEFAULT_TURNS)}
          value={goalTurns}
          onChange={(event) => onChange({ goalTurns: event.target.value })}
        />
      )}
    </div>
  )
}

function PlaceFields({ draft: { workspace, folder }, errorOf, onChange }: PartProps) {
  const t = useMessages(seriesMessages)
  return (
    <div className={css.two}>
      <Field label={t('workspace')}>
        {(control) => (
          <Select
            {...control}
            label={t('workspace')}
            value={workspace}
            options={WORKSPACE_KINDS.map((value) => ({ value, label: t(`workspace_${value}`) }))}
            onChange={(value) => {
              const kind = WORKSPACE_KINDS.find((one) => one === value)
              if (kind !== undefined) onChange({ workspace: kind })
            }}
          />
        )}
      </Field>
      {workspace !== 'scratch' && (
        <TextField
          label={t(workspace === 'dir' ? 'folder' : 'repository')}
          hint={t('folderHint')}
          error={errorOf('folder')}
          className={css.mono}
          value={folder}
          onChange={(event) => onChange({ folder: event.target.value })}
        />
      )}
    </div>
  )
}
