import { useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/use-messages.tsx'
import { client } from '../../api/client.ts'
import { tournamentMessages } from '../../cards/tournament-messages.ts'
import { tournamentQuery } from '../../cards/tournament-query.ts'
import { cardPath } from '../../routes/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { actionMessages } from '../action-messages.ts'
import { ActionLink } from '../action-link.tsx'
import type { CardItem } from '../card-item.ts'
import { useInbox } from '../inbox-context.ts'
import { ItemHeading } from '../item-heading.tsx'
import css from '../item.module.css'
import { LongText } from '../long-text.tsx'
import { Refusal } from '../refusal.tsx'
import { useItemCommand } from '../use-item-command.ts'
import { useItemKeys } from '../use-item-keys.ts'
import { Proof } from './proof.tsx'

interface Choice {
  readonly id: string
  readonly agent: string
}

/** Shows a tournament that waits for a pick, or that has no entry left. */
export function PickItem({ item }: { readonly item: CardItem }) {
  const t = useMessages(actionMessages)
  const tEntry = useMessages(tournamentMessages)
  const { currentId } = useInbox()
  const button = useRef<HTMLButtonElement>(null)
  const { data } = useQuery(tournamentQuery(item))
  const pick = useItemCommand<Choice, unknown>(item, {
    run: ({ id }) => client.pick({ task: item.id, entry: id }),
    done: (_, { agent }) => ({ text: tEntry('picked', { agent }) }),
  })
  const choices = (data?.entries ?? [])
    .filter(({ canWin }) => canWin)
    .map(({ id, agent }) => ({ id, agent: agent ?? tEntry('unassigned') }))
  useItemKeys(item.id, { act: () => button.current?.click() })
  return (
    <>
      <ItemHeading item={item} />
      {item.question !== null && <LongText text={item.question} />}
      <div className={css.actions}>
        <Proof item={item} />
        <span className={css.push}>
          <ActionLink href={cardPath(item.board, item.id)}>{t('compareEntries')}</ActionLink>
          {choices.length > 0 && (
            <Menu
              align="end"
              entries={choices.map((choice) => ({
                key: choice.id,
                label: tEntry('pickEntry', { agent: choice.agent }),
                onChoose: () => pick.mutate(choice),
              }))}
            >
              <Button
                ref={button}
                size="small"
                look={currentId === item.id ? 'primary' : 'normal'}
                writes
                isBusy={pick.isPending}
              >
                {t('pickWinner')}
              </Button>
            </Menu>
          )}
        </span>
      </div>
      <Refusal error={pick.error} />
    </>
  )
}
