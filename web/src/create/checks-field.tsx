import { Plus, ShieldCheck, X } from 'lucide-react'
import { useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { useMessages } from '../i18n/use-messages.tsx'
import { IconButton } from '../ui/button.tsx'
import css from './create.module.css'
import { FormField } from './form-field.tsx'
import { createMessages } from './messages.ts'
import type { CreateForm } from './use-create-form.ts'
import type { RosterAgent } from '../api/queries.ts'

interface Props {
  readonly form: CreateForm
  readonly agent: RosterAgent | null
}

/** Shows one row per check, and an empty row for the next one. */
export function ChecksField({ form, agent }: Props) {
  const t = useMessages(createMessages)
  const rows = useRef<HTMLDivElement>(null)
  const { checks } = form.draft
  const focus = (at: number): void => rows.current?.querySelectorAll('input')[Math.max(0, at)]?.focus()
  const change = (at: number, text: string): void =>
    form.set('checks', at === checks.length ? [...checks, text] : checks.with(at, text))
  const remove = (at: number): void => form.set('checks', checks.toSpliced(at, 1))
  const onKeyDown = (event: KeyboardEvent, at: number, text: string): void => {
    if (event.nativeEvent.isComposing || event.metaKey || event.ctrlKey) return
    if (event.key === 'Enter') {
      event.preventDefault()
      focus(at + 1)
    } else if (event.key === 'Backspace' && text === '' && at > 0) {
      event.preventDefault()
      if (at < checks.length) remove(at)
      focus(at - 1)
    }
  }
  const ofAgent = agent?.checks ?? []
  return (
    <FormField
      form={form}
      name="checks"
      label={t('checks')}
      remark={t('checksRemark')}
      hint={
        agent !== null && ofAgent.length > 0
          ? t('agentChecks', { agent: agent.name, checks: ofAgent.join(', ') })
          : undefined
      }
    >
      {({ id, ...control }) => (
        <div ref={rows} className={css.checks}>
          {[...checks, ''].map((text, at) => {
            const isLast = at === checks.length
            return (
              // The index can be the key, because nothing else identifies a check.
              <div key={at} className={css.check}>
                {isLast ? <Plus /> : <ShieldCheck />}
                <input
                  {...control}
                  id={at === 0 ? id : undefined}
                  className={css.checkInput}
                  autoComplete="off"
                  spellCheck={false}
                  aria-label={isLast ? t('addCheck') : t('check', { n: at + 1 })}
                  placeholder={isLast ? t('checkPlaceholder') : undefined}
                  value={text}
                  onChange={(event) => change(at, event.target.value)}
                  onKeyDown={(event) => onKeyDown(event, at, text)}
                />
                {!isLast && (
                  <IconButton
                    size="small"
                    icon={<X />}
                    label={t('removeCheck', { n: at + 1 })}
                    onClick={() => {
                      remove(at)
                      focus(at)
                    }}
                  />
                )}
              </div>
            )
          })}
        </div>
      )}
    </FormField>
  )
}
