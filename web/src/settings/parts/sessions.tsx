import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Outputs } from '../../../../src/client/index.ts'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { liveState } from '../../api/live-state.ts'
import { forgetSecret } from '../../api/session.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.ts'
import { settingsMessages } from '../messages.ts'
import { Panel, Row } from '../panel.tsx'
import { tokensQuery } from '../queries.ts'
import { sessionQuery, useRefusedScope } from '../use-scope.ts'
import { machineMessages } from './machine-messages.ts'

type Session = Outputs['tokensList'][number]

export function Sessions() {
  const t = useMessages(machineMessages)
  const refused = useRefusedScope('admin')
  const { data: own } = useQuery(sessionQuery)
  const { data: tokens = [] } = useQuery({ ...tokensQuery, enabled: refused === null })
  const others = tokens.filter(({ kind, id }) => kind === 'session' && id !== own?.id)
  return (
    <Panel title={t('sessions')} about={refused ?? t('sessionsText')} actions={<SignOut />}>
      {own !== undefined && <SessionRow session={own} name={t('thisBrowser')} />}
      {others.map((session) => (
        <SessionRow key={session.id} session={session} name={session.name} isOther />
      ))}
    </Panel>
  )
}

interface RowProps {
  readonly session: Session
  readonly name: string
  readonly isOther?: boolean
}

function SessionRow({ session: { id, createdAt, lastUsedAt }, name, isOther = false }: RowProps) {
  const t = useMessages(machineMessages)
  const language = useLanguage()
  const end = useCommand<void, unknown>({
    run: () => client.tokensRevoke({ token: id }),
    refresh: () => [keys.tokens],
    onDone: () => showToast({ kind: 'done', text: t('ended') }),
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
  return (
    <Row
      name={name}
      note={
        <>
          {t.rich('signedIn', { time: <RelativeTime at={createdAt} as="relative" /> })}
          {lastUsedAt !== null && (
            <> · {t.rich('lastUsed', { time: <RelativeTime at={lastUsedAt} as="relative" /> })}</>
          )}
        </>
      }
    >
      {isOther && (
        <Button size="small" writes isBusy={end.isPending} onClick={() => end.mutate()}>
          {t('end')}
        </Button>
      )}
    </Row>
  )
}

function SignOut() {
  const t = useMessages(machineMessages)
  const tSettings = useMessages(settingsMessages)
  const language = useLanguage()
  const [isAsking, setIsAsking] = useState(false)
  const signOut = useCommand<void, void>({
    run: () => client.signOut(),
    onDone() {
      forgetSecret()
      liveState.set({ is: 'signed_out' })
    },
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
  return (
    <>
      <Button size="small" writes onClick={() => setIsAsking(true)}>
        {t('signOut')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('signOutTitle')}
        footer={
          <>
            <Button look="ghost" onClick={() => setIsAsking(false)}>
              {tSettings('cancel')}
            </Button>
            <Button look="primary" writes isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
              {t('signOut')}
            </Button>
          </>
        }
      >
        {t('signOutText')}
      </ConfirmDialog>
    </>
  )
}
