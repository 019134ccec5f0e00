import { ChevronDown } from 'lucide-react'
import { useRef } from 'react'
import { client } from '../../api/client.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { cardPath } from '../../routes/paths.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { actionMessages } from '../action-messages.ts'
import { ActionLink } from '../action-link.tsx'
import type { CardItem } from '../card-item.ts'
import { useInbox } from '../inbox-context.ts'
import { ItemHeading } from '../item-heading.tsx'
import css from '../item.module.css'
import { Refusal } from '../refusal.tsx'
import { useItemCommand } from '../use-item-command.ts'
import { useItemKeys } from '../use-item-keys.ts'
import { Proof } from './proof.tsx'

const METHODS = ['squash', 'merge', 'rebase'] as const
type Method = (typeof METHODS)[number]

/** Shows finished work that has not landed and is only on its own branch. */
export function UnlandedItem({ item }: { readonly item: CardItem }) {
  const t = useMessages(actionMessages)
  const { currentId } = useInbox()
  const button = useRef<HTMLButtonElement>(null)
  const land = useItemCommand<Method, Awaited<ReturnType<typeof client.land>>>(item, {
    run: (strategy) => client.land({ task: item.id, strategy }),
    done: ({ outcome, into }) => ({ text: t(outcome === 'landed' ? 'landed' : 'landedAlready', { branch: into }) }),
  })
  const refused =
    item.landing === 'possible' ? null : t(item.landing === 'elsewhere' ? 'landElsewhere' : 'landNotPossible')
  const look = currentId === item.id ? 'primary' : 'normal'
  useItemKeys(item.id, { act: () => button.current?.click() })
  return (
    <>
      <ItemHeading item={item} />
      <div className={css.actions}>
        <Proof item={item} />
        <span className={css.push}>
          <ActionLink href={`${cardPath(item.board, item.id)}?tab=changes`}>{t('viewChanges')}</ActionLink>
          <span className={css.split}>
            <Button
              ref={button}
              size="small"
              look={look}
              writes
              isBusy={land.isPending}
              disabledReason={refused}
              onClick={() => land.mutate('squash')}
            >
              {t('land')}
            </Button>
            <Menu
              align="end"
              entries={METHODS.map((method) => ({
                key: method,
                label: t(method),
                disabledReason: refused,
                onChoose: () => land.mutate(method),
              }))}
            >
              <IconButton size="small" look={look} writes icon={<ChevronDown />} label={t('method')} />
            </Menu>
          </span>
        </span>
      </div>
      <Refusal error={land.error} />
    </>
  )
}
