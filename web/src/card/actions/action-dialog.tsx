/** Asks for the text that an action needs, or shows the other effects of the action. */
import { useState } from 'react'
import type { SyntheticEvent } from 'react'
import { AgentSelect } from '../../cards/agent-select.tsx'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { keyNames } from '../../shortcuts/key-names.ts'
import { useShortcuts } from '../../shortcuts/use-shortcut.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import css from './actions.module.css'
import { initialValues, missingField } from './action-forms.ts'
import type { ActionField, ActionForm, Values } from './action-forms.ts'
import type { CardAction } from './legal-actions.ts'
import { actionMessages } from './messages.ts'

interface Props {
  readonly action: CardAction
  readonly form: ActionForm
  readonly cardTitle: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onSend: (values: Values) => void
  readonly onClose: () => void
}

export function ActionDialog({ action, form, cardTitle, isBusy, error, onSend, onClose }: Props) {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  const [values, setValues] = useState<Values>(() => initialValues(form))
  const [isTried, setIsTried] = useState(false)
  const missing = isTried ? missingField(form, values) : null
  const send = (event?: SyntheticEvent): void => {
    event?.preventDefault()
    setIsTried(true)
    if (!isBusy && missingField(form, values) === null) onSend(values)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isNarrow
      title={t(`do_${action}`)}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            look="primary"
            writes
            isBusy={isBusy}
            tip={t('send', { keys: keyNames('mod+enter').join(' ') })}
            onClick={send}
          >
            {t(`do_${action}`)}
          </Button>
        </>
      }
    >
      <SendKey name={t(`do_${action}`)} onPress={send} />
      <form className={css.form} onSubmit={send}>
        <p className={css.about}>{cardTitle}</p>
        {form.note !== null && <p className={css.note}>{t(form.note)}</p>}
        {form.fields.map((field, at) => (
          <FormField
            key={field.name}
            field={field}
            isFirst={at === 0}
            value={values[field.name] ?? ''}
            error={missing === field ? t(field.kind === 'moment' ? 'badTime' : 'required') : undefined}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        {error !== null && (
          <p className={css.fault} role="alert">
            {describeError(error, language)}
          </p>
        )}
      </form>
    </Dialog>
  )
}

/** Registers the shortcut. The component must be inside the dialog, because it belongs to the layer of the dialog. */
function SendKey({ name, onPress }: { readonly name: string; readonly onPress: () => void }) {
  const t = useMessages(actionMessages)
  useShortcuts([{ keys: 'mod+enter', name, group: t('actions'), inFields: true, onPress }])
  return null
}

interface FieldProps {
  readonly field: ActionField
  readonly value: string
  readonly error: string | undefined
  /** Whether the field has the focus when the dialog opens. */
  readonly isFirst: boolean
  readonly onChange: (value: string) => void
}

function FormField({ field, value, error, isFirst, onChange }: FieldProps) {
  const t = useMessages(actionMessages)
  const firstFocus = useFirstFocus()
  const ref = isFirst ? firstFocus : null
  const { kind, label, hint, isRequired = false, choices = [] } = field
  const isChoice = kind === 'choice' || kind === 'agent'
  return (
    <Field
      label={t(label)}
      hint={hint === undefined ? undefined : t(hint)}
      error={error}
      {...(!isRequired && !isChoice && { remark: t('optional') })}
    >
      {(control) => {
        switch (kind) {
          case 'text':
            return (
              <Textarea
                {...control}
                ref={ref}
                rows={3}
                value={value}
                onChange={(event) => onChange(event.target.value)}
              />
            )
          case 'line':
            return <Input {...control} ref={ref} value={value} onChange={(event) => onChange(event.target.value)} />
          case 'moment':
            return (
              <Input
                {...control}
                ref={ref}
                type="datetime-local"
                value={value}
                onChange={(event) => onChange(event.target.value)}
              />
            )
          case 'agent':
            return (
              <AgentSelect
                {...control}
                label={t(label)}
                value={value}
                onChange={onChange}
                none={{ label: t('noReviewer') }}
              />
            )
          case 'choice':
            return (
              <Select
                {...control}
                label={t(label)}
                value={value}
                options={choices.map((choice) => ({ value: choice.value, label: t(choice.label) }))}
                onChange={onChange}
              />
            )
        }
      }}
    </Field>
  )
}
