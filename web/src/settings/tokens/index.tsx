import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Panel, Row } from '../panel.tsx'
import { PanelSkeleton } from '../panel-skeleton.tsx'
import { tokensQuery } from '../queries.ts'
import { useRefusedScope } from '../use-scope.ts'
import { CreateToken } from './create-token.tsx'
import { tokensMessages } from './messages.ts'
import { TokenRow } from './token-row.tsx'

/** Lists the programs that may use the API. The settings page Machine lists the sessions of browsers. */
export function Tokens() {
  const t = useMessages(tokensMessages)
  const refused = useRefusedScope('admin')
  const { data, error, refetch } = useQuery({ ...tokensQuery, enabled: refused === null })
  const [isCreating, setIsCreating] = useState(false)
  const tokens = data?.filter(({ kind }) => kind === 'token')
  if (tokens === undefined && refused === null)
    return error === null ? (
      <PanelSkeleton label={t('loading')} />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  return (
    <>
      <Panel
        title={t('title')}
        about={refused ?? t('about')}
        actions={
          <Button size="small" icon={<Plus />} writes disabledReason={refused} onClick={() => setIsCreating(true)}>
            {t('create')}
          </Button>
        }
      >
        {tokens?.length === 0 && <Row name={t('none')} />}
        {tokens?.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </Panel>
      {isCreating && <CreateToken onClose={() => setIsCreating(false)} />}
    </>
  )
}
