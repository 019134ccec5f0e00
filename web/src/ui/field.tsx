/** Inputs with a label, a hint and an error. */
import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import css from './field.module.css'

interface Around {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly error?: ReactNode
  /** A note beside the label, such as "optional". */
  readonly remark?: ReactNode
}

interface Control {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldProps extends Around {
  readonly children: (control: Control) => ReactNode
}

/** The frame of a control: `<Field label="Agent">{(control) => <Select {...control} … />}</Field>`. */
export function Field({ label, hint, error, remark, children }: FieldProps) {
  const id = useId()
  const hasError = error !== undefined && error !== null
  const hasHint = hint !== undefined && hint !== null
  const described = [hasError && `${id}-error`, hasHint && `${id}-hint`].filter((part) => part !== false)
  return (
    <div className={css.field}>
      <label htmlFor={id} className={css.label}>
        {label}
        {remark !== undefined && <span className={css.optional}>{remark}</span>}
      </label>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': hasError || undefined,
      })}
      {hasError && (
        <p id={`${id}-error`} className={css.error} role="alert">
          <TriangleAlert />
          <span>{error}</span>
        </p>
      )}
      {hasHint && (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input autoComplete="off" {...rest} className={classNames(css.input, className)} />
)

/** The field grows with its text. */
export const Textarea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea {...rest} className={classNames(css.input, css.area, className)} />
)

/** An input with a label. */
export const TextField = ({ label, hint, error, remark, ...rest }: Around & ComponentProps<'input'>) => (
  <Field label={label} hint={hint} error={error} remark={remark}>
    {(control) => <Input {...rest} {...control} />}
  </Field>
)

export const TextArea = ({ label, hint, error, remark, ...rest }: Around & ComponentProps<'textarea'>) => (
  <Field label={label} hint={hint} error={error} remark={remark}>
    {(control) => <Textarea {...rest} {...control} />}
  </Field>
)
