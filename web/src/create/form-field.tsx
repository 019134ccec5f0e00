/** The frame of a field of the form, and simple text fields. */
import type { ReactNode } from 'react'
import { Field, Input } from '../ui/field.tsx'
import css from './create.module.css'
import type { Draft, FormField as Name } from './draft.ts'
import type { CreateForm } from './use-create-form.ts'

interface Around {
  readonly form: CreateForm
  readonly name: Name
  readonly label: string
  readonly remark?: string
  readonly hint?: ReactNode
}

interface FormFieldProps extends Around {
  readonly children: Parameters<typeof Field>[0]['children']
}

export const FormField = ({ form, name, children, ...around }: FormFieldProps) => (
  <div data-field={name} className={css.field}>
    <Field {...around} error={form.errorOf(name)}>
      {children}
    </Field>
  </div>
)

/** The names of the fields that hold a text. */
type TextName = { [K in Name]: string extends Draft[K] ? K : never }[Name]

interface TextProps extends Around {
  readonly name: TextName
  readonly placeholder?: string
  readonly type?: 'text' | 'datetime-local'
  readonly inputMode?: 'numeric'
  readonly isCode?: boolean
}

export const TextFormField = ({ placeholder, type = 'text', inputMode, isCode = false, ...around }: TextProps) => (
  <FormField {...around}>
    {(control) => (
      <Input
        {...control}
        type={type}
        inputMode={inputMode}
        placeholder={placeholder}
        className={isCode ? css.code : undefined}
        value={around.form.draft[around.name]}
        onChange={(event) => around.form.set(around.name, event.target.value)}
      />
    )}
  </FormField>
)
