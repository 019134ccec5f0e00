/**
 * Shows the exact commands that a card would run, with the folder and the user. An approval covers exactly these
 * commands.
 */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { inboxQuery } from '../../api/queries.ts'
import { useCommand } from '../../api/use-command.ts'
import { visibleText } from '../../cards/visible-text.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Facts } from '../../page/facts.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Skeleton } from '../../ui/states.tsx'
import type { TabProps } from '../card-details.ts'
import { overviewMessages } from './messages.ts'
import css from './overview.module.css'
import { commandsQuery } from './queries.ts'

export function CommandsBox({ card }: TabProps) {
  const t = useMessages(overviewMessages)
  const language = useLanguage()
  const [fault, setFault] = useState<string | null>(null)
  const { data, error, refetch } = useQuery(commandsQuery(card.id))
  const approve = useCommand({
    run: (hash: string) => client.approveCommands({ task: card.id, hash }),
    cards: () => [card.id],
    refresh: () => [keys.card(card.id)],
    onRefusal: (refusal) => {
      setFault(refusal.code === 'commands_changed' ? t('commandsChanged') : describeError(refusal, language))
      void refetch()
    },
  })
  if (error !== null) return <p className={css.fault}>{describeError(error, language)}</p>
  if (data === undefined) return <Skeleton width={80} />
  const { commands, hash } = data
  return (
    <div className={css.commands}>
      {commands.body !== null && (
        <Shown title={t('script')}>
          <CodeBlock wraps>{visibleText(commands.body)}</CodeBlock>
        </Shown>
      )}
      {commands.checks.length > 0 && (
        <Shown title={t('checks')}>
          <CodeBlock wraps>{commands.checks.map(visibleText).join('\n')}</CodeBlock>
        </Shown>
      )}
      <Where card={card} directory={commands.directory} agent={commands.agent} />
      {fault !== null && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      <div className={css.remedies}>
        <Button look="primary" size="small" writes isBusy={approve.isPending} onClick={() => approve.mutate(hash)}>
          {t('approveCommands')}
        </Button>
      </div>
    </div>
  )
}

const Shown = ({ title, children }: { readonly title: string; readonly children: React.ReactNode }) => (
  <div>
    <h4 className={css.small}>{title}</h4>
    {children}
  </div>
)

type Commands = Awaited<ReturnType<typeof client.previewCommands>>['commands']

function Where({ card, directory, agent }: TabProps & Pick<Commands, 'directory' | 'agent'>) {
  const t = useMessages(overviewMessages)
  const { data } = useQuery(inboxQuery)
  const runsAs = data?.items.find(({ task, commands }) => task?.id === card.id && commands !== null)?.commands?.runsAs
  return (
    <Facts
      facts={[
        { name: t('runsIn'), value: directory ?? t('newFolder'), isCode: directory !== null },
        {
          name: t('runsAs'),
          value: runsAs === undefined ? t('runsAsServer') : t('userAt', runsAs),
          isCode: runsAs !== undefined,
        },
        { name: t('runsBy'), value: agent === null ? null : agent.name },
        { name: t('permissions'), value: agent?.permissions == null ? null : t(`permissions_${agent.permissions}`) },
      ]}
    />
  )
}
