import { useRef, useState } from 'react'
import { client } from '../../api/client.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage } from '../../i18n/use-messages.tsx'
import { actionMessages } from '../action-messages.ts'
import { useInbox } from '../inbox-context.ts'
import type { CardItem } from '../card-item.ts'
import { ItemHeading } from '../item-heading.tsx'
import css from '../item.module.css'
import { Refusal } from '../refusal.tsx'
import { alikeOf, commandLines } from '../similar.ts'
import { useItemCommand } from '../use-item-command.ts'
import { useItemKeys } from '../use-item-keys.ts'
import { ApproveAlike } from './approve-alike.tsx'
import { RunsWhere } from './runs-where.tsx'
import { CommandText } from './command-text.tsx'

type Commands = NonNullable<CardItem['commands']>

/** Shows commands that an agent wrote, exactly as they would run, with the user, the machine and the folder. */
export function ApprovalItem({ item, commands }: { readonly item: CardItem; readonly commands: Commands }) {
  return (
    <>
      <ItemHeading item={item} />
      <Listed commands={commands} />
      <Decision item={item} commands={commands} />
    </>
  )
}

function Listed({ commands }: { readonly commands: Commands }) {
  const t = useMessages(actionMessages)
  const { body, checks, isCut } = commands
  return (
    <>
      {body !== null && <CommandText label={t('script')}>{body}</CommandText>}
      {isCut && <p className={css.context}>{t('isCut')}</p>}
      {checks.length > 0 && <p className={css.label}>{t('check', { n: checks.length })}</p>}
      {checks.map((check, at) => (
        // The index can be the key, because two checks may be equal.
        <CommandText key={at} label={t('check', { n: 1 })}>
          {check}
        </CommandText>
      ))}
    </>
  )
}

function Decision({ item, commands }: { readonly item: CardItem; readonly commands: Commands }) {
  const t = useMessages(actionMessages)
  const { currentId, items } = useInbox()
  const [isAlikeOpen, setIsAlikeOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { title } = item.task
  const approve = useItemCommand<void, unknown>(item, {
    run: () => client.approveCommands({ task: item.id, hash: commands.hash }),
    done: () => ({ text: t('approved', { card: title }) }),
  })
  const reject = useReject(item)
  const alike = alikeOf(item, items)
  const count = commandLines(commands).length
  useItemKeys(item.id, { act: () => button.current?.click() })
  return (
    <>
      <div className={css.actions}>
        <RunsWhere commands={commands} />
        <span className={css.push}>
          <Button size="small" look="ghost" writes isBusy={reject.isPending} onClick={() => reject.mutate()}>
            {t('reject')}
          </Button>
          {alike.length > 0 && (
            <Button size="small" writes onClick={() => setIsAlikeOpen(true)}>
              {t('approveAlike', { n: alike.length + 1 })}
            </Button>
          )}
          <Button
            ref={button}
            size="small"
            look={currentId === item.id ? 'primary' : 'normal'}
            writes
            isBusy={approve.isPending}
            disabledReason={commands.isCut ? t('isCut') : null}
            onClick={() => approve.mutate()}
          >
            {count === 1 ? t('approveCommand') : t('approveCommands', { n: count })}
          </Button>
        </span>
      </div>
      <Refusal error={approve.error ?? reject.error} />
      {isAlikeOpen && <ApproveAlike items={[item, ...alike]} onClose={() => setIsAlikeOpen(false)} />}
    </>
  )
}

/** Puts the card on hold, so that none of its commands run. */
function useReject(item: CardItem) {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  const undo = (): void =>
    void client
      .release({ task: item.id })
      .catch((error: unknown) => showToast({ kind: 'failed', text: describeError(error, language) }))
  return useItemCommand<void, unknown>(item, {
    run: () => client.hold({ task: item.id, reason: t('rejectReason') }),
    done: () => ({
      text: t('rejected', { card: item.task.title }),
      action: { label: t('undo'), onChoose: undo },
    }),
  })
}
