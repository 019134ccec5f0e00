import { useState } from 'react'
import type { Outputs } from '../../../../src/client/index.ts'
import { isExpired } from '../../../../src/core/token.ts'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { useCommand } from '../../api/use-command.ts'
import { useNow } from '../../app-state/use-now.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.ts'
import { Row } from '../panel.tsx'
import css from '../settings.module.css'
import { scopeMessages, tokensMessages } from './messages.ts'

type Token = Outputs['tokensList'][number]

export function TokenRow({ token }: { readonly token: Token }) {
  const t = useMessages(tokensMessages)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Row name={token.name} note={<TokenNote token={token} />}>
      <Button size="small" writes aria-label={t('revokeOf', { name: token.name })} onClick={() => setIsAsking(true)}>
        {t('revoke')}
      </Button>
      {isAsking && <Revoke token={token} onClose={() => setIsAsking(false)} />}
    </Row>
  )
}

function TokenNote({ token }: { readonly token: Token }) {
  const t = useMessages(tokensMessages)
  const tScope = useMessages(scopeMessages)
  const now = useNow()
  const { scope, createdAt, createdBy, lastUsedAt, expiresAt } = token
  const isOver = isExpired(token, now)
  return (
    <>
      {tScope(scope)} · {t.rich('createdBy', { time: <RelativeTime at={createdAt} as="relative" />, by: createdBy })} ·{' '}
      {lastUsedAt === null ? t('neverUsed') : t.rich('used', { time: <RelativeTime at={lastUsedAt} as="relative" /> })}
      {expiresAt !== null && (
        <span className={isOver ? css.bad : undefined}>
          {' · '}
          {t.rich(isOver ? 'expired' : 'expiresAt', { time: <RelativeTime at={expiresAt} as="relative" /> })}
        </span>
      )}
    </>
  )
}

function Revoke({ token: { id, name }, onClose }: { readonly token: Token; readonly onClose: () => void }) {
  const t = useMessages(tokensMessages)
  const language = useLanguage()
  const revoke = useCommand<void, unknown>({
    run: () => client.tokensRevoke({ token: id }),
    refresh: () => [keys.tokens],
    onDone() {
      onClose()
      showToast({ kind: 'done', text: t('revoked', { name }) })
    },
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t('revokeTitle', { name })}
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button isDanger writes isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
            {t('revokeButton')}
          </Button>
        </>
      }
    >
      {t('revokeText')}
    </ConfirmDialog>
  )
}
