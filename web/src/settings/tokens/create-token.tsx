import { useState } from 'react'
import type { Outputs } from '../../../../src/client/index.ts'
import { TOKEN_SCOPES } from '../../../../src/core/token.ts'
import type { TokenScope } from '../../../../src/core/token.ts'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { serverNow } from '../../api/server-clock.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import { scopeMessages, tokensMessages } from './messages.ts'
import css from './tokens.module.css'

const DAY_MS = 86_400_000
const LIFETIMES = { never: null, days7: 7, days30: 30, days90: 90, year: 365 } as const
type Lifetime = keyof typeof LIFETIMES

const isLifetime = (text: string): text is Lifetime => Object.hasOwn(LIFETIMES, text)

/** The dialog that creates a token, and then shows the token once. */
export function CreateToken({ onClose }: { readonly onClose: () => void }) {
  const [created, setCreated] = useState<Outputs['tokensCreate'] | null>(null)
  return created === null ? (
    <TokenForm onClose={onClose} onCreated={setCreated} />
  ) : (
    <CreatedToken created={created} onClose={onClose} />
  )
}

interface FormProps {
  readonly onClose: () => void
  readonly onCreated: (created: Outputs['tokensCreate']) => void
}

function TokenForm({ onClose, onCreated }: FormProps) {
  const t = useMessages(tokensMessages)
  const tScope = useMessages(scopeMessages)
  const language = useLanguage()
  const focus = useFirstFocus()
  const [name, setName] = useState('')
  const [scope, setScope] = useState<TokenScope>('read')
  const [lifetime, setLifetime] = useState<Lifetime>('days90')
  const [isMissing, setIsMissing] = useState(false)
  const create = useCommand({
    run: () => {
      const days = LIFETIMES[lifetime]
      return client.tokensCreate({
        name: name.trim(),
        scope,
        expiresAt: days === null ? null : Math.round(serverNow() + days * DAY_MS),
      })
    },
    refresh: () => [keys.tokens],
    onDone: onCreated,
  })
  const submit = (): void => {
    if (name.trim() === '') setIsMissing(true)
    else create.mutate(undefined)
  }
  const refused = create.error === null ? null : describeError(create.error, language)
  return (
    <Dialog
      isOpen
      isNarrow
      onClose={onClose}
      title={t('createTitle')}
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button look="primary" writes isBusy={create.isPending} onClick={submit}>
            {t('createButton')}
          </Button>
        </>
      }
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          ref={focus}
          label={t('name')}
          error={isMissing ? t('nameMissing') : refused}
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setIsMissing(false)
          }}
        />
        <Field label={t('scope')}>
          {(control) => (
            <Select
              {...control}
              label={t('scope')}
              value={scope}
              options={TOKEN_SCOPES.map((value) => ({ value, label: tScope(value) }))}
              onChange={(value) => setScope(TOKEN_SCOPES.find((known) => known === value) ?? 'read')}
            />
          )}
        </Field>
        <Field label={t('expires')}>
          {(control) => (
            <Select
              {...control}
              label={t('expires')}
              value={lifetime}
              options={Object.keys(LIFETIMES)
                .filter(isLifetime)
                .map((value) => ({ value, label: t(value) }))}
              onChange={(value) => isLifetime(value) && setLifetime(value)}
            />
          )}
        </Field>
        <button type="submit" hidden>
          {t('createButton')}
        </button>
      </form>
    </Dialog>
  )
}

interface CreatedProps {
  readonly created: Outputs['tokensCreate']
  readonly onClose: () => void
}

function CreatedToken({ created: { name, token }, onClose }: CreatedProps) {
  const t = useMessages(tokensMessages)
  return (
    <Dialog
      isOpen
      isNarrow
      onClose={onClose}
      title={t('createdTitle', { name })}
      footer={
        <Button look="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <div className={css.form}>
        <p>{t('once')}</p>
        <CodeBlock wraps>{token}</CodeBlock>
      </div>
    </Dialog>
  )
}
