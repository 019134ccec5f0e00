/** The fields of the dialog. */
import { useEffect, useRef, useState } from 'react'
import type { ClipboardEvent, DragEvent, KeyboardEvent, ReactNode } from 'react'
import { useMessages } from '../i18n/use-messages.tsx'
import { classNames } from '../ui/class-names.ts'
import { Input } from '../ui/field.tsx'
import { AgentField, ReviewField, useChosenAgent } from './agent-field.tsx'
import { BodyField } from './body-field.tsx'
import { ChecksField } from './checks-field.tsx'
import css from './create.module.css'
import { FOLDED, hasFolded } from './draft.ts'
import type { FormField as Name } from './draft.ts'
import { FormField } from './form-field.tsx'
import { createMessages } from './messages.ts'
import { MoreFields } from './more-fields.tsx'
import { ParentsField } from './parents-field.tsx'
import type { CreateForm } from './use-create-form.ts'
import { PlaceFields, WorkspaceField } from './workspace-field.tsx'

interface Props {
  readonly id: string
  readonly form: CreateForm
  readonly faulty: { readonly field: Name | null; readonly times: number }
  readonly files: ReactNode
  readonly onFiles: (files: readonly File[]) => void
  readonly onSubmit: () => void
}

const isFolded = (field: Name | null): boolean => FOLDED.some((name) => name === field)

export function CreateFields({ id, form, faulty, files, onFiles, onSubmit }: Props) {
  const t = useMessages(createMessages)
  const element = useRef<HTMLFormElement>(null)
  const agent = useChosenAgent(form)
  const [isMore, setIsMore] = useState(() => hasFolded(form.draft))
  const [isOver, setIsOver] = useState(false)
  const isOpen =
    isMore || (faulty.times > 0 && isFolded(faulty.field) && form.errorOf(faulty.field ?? 'title') !== null)
  useEffect(() => {
    if (faulty.times === 0 || faulty.field === null) return
    element.current?.querySelector<HTMLElement>(`[data-field="${faulty.field}"] :is(input, textarea, button)`)?.focus()
  }, [faulty])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    onSubmit()
  }
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = [...event.clipboardData.files]
    if (pasted.length === 0) return
    event.preventDefault()
    onFiles(pasted)
  }
  const onDrag = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setIsOver(event.type === 'dragover')
    if (event.type === 'drop') onFiles([...event.dataTransfer.files])
  }
  return (
    // The whole form accepts pasted and dropped files.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={element}
      id={id}
      className={classNames(css.form, isOver && css.over)}
      data-drop={t('dropHere')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onDragOver={onDrag}
      onDragLeave={onDrag}
      onDrop={onDrag}
    >
      <FormField form={form} name="title" label={t('title')}>
        {(control) => (
          <Input
            {...control}
            // The person opened the dialog to type the title.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            className={css.title}
            placeholder={t('titlePlaceholder')}
            value={form.draft.title}
            onChange={(event) => form.set('title', event.target.value)}
          />
        )}
      </FormField>
      <BodyField form={form} script={agent?.harness === 'shell' ? agent.name : null} onFiles={onFiles} />
      {files}
      <div className={css.two}>
        <AgentField form={form} agent={agent} />
        <WorkspaceField form={form} />
      </div>
      <PlaceFields form={form} />
      <ChecksField form={form} agent={agent} />
      <div className={css.two}>
        <ParentsField form={form} />
        <ReviewField form={form} />
      </div>
      <MoreFields form={form} isOpen={isOpen} onToggle={() => setIsMore(!isOpen)} />
    </form>
  )
}
