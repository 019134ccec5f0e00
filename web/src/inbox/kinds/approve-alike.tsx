import { useState } from 'react'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import type { InboxItem } from '../../api/queries.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toasts.ts'
import { actionMessages } from '../action-messages.ts'
import { nameOf } from '../card-item.ts'
import { useInbox } from '../inbox-context.ts'
import css from '../item.module.css'
import { commandLines } from '../similar.ts'
import { CommandText } from './command-text.tsx'
import { RunsWhere } from './runs-where.tsx'

interface Props {
  readonly items: readonly InboxItem[]
  readonly onClose: () => void
}

interface Result {
  readonly approved: readonly string[]
  readonly refused: readonly unknown[]
}

/**
 * Approves each card with the hash of the commands in the dialog. If the commands of a card have changed, the server
 * refuses that card.
 */
async function approveEach(items: readonly InboxItem[]): Promise<Result> {
  const approved: string[] = []
  const refused: unknown[] = []
  for (const { id, commands } of items)
    await client
      .approveCommands({ task: id, hash: commands?.hash ?? null })
      .then(() => approved.push(id))
      .catch((error: unknown) => refused.push(error))
  return { approved, refused }
}

/** The dialog that lists exactly what will be approved. The person can leave cards out. */
export function ApproveAlike({ items, onClose }: Props) {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  const { leave, focusCurrent } = useInbox()
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set())
  const chosen = items.filter(({ id }) => !without.has(id))
  const approve = useCommand<void, Result>({
    run: () => approveEach(chosen),
    cards: () => chosen.map(({ id }) => id),
    refresh: () => [keys.inbox, keys.summary],
    onDone({ approved, refused }) {
      onClose()
      leave(approved)
      if (approved.length > 0) showToast({ kind: 'done', text: t('alikeDone', { n: approved.length }) })
      if (refused.length > 0)
        showToast({
          kind: 'failed',
          text: t('alikeRefused', { n: refused.length, why: describeError(refused[0], language) }),
        })
    },
  })
  const toggle = (id: string): void => {
    const next = new Set(without)
    if (!next.delete(id)) next.add(id)
    setWithout(next)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      onClosed={focusCurrent}
      title={t('alikeTitle')}
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            look="primary"
            writes
            isBusy={approve.isPending}
            disabledReason={chosen.length === 0 ? t('alikeText') : null}
            onClick={() => approve.mutate()}
          >
            {t('alikeApprove', { n: chosen.length })}
          </Button>
        </>
      }
    >
      <p className={css.context}>{t('alikeText')}</p>
      <ul className={css.alike}>
        {items.map((item) => (
          <li key={item.id} className={css.alikeItem}>
            <label className={css.alikeName}>
              <input type="checkbox" checked={!without.has(item.id)} onChange={() => toggle(item.id)} />
              <span>{nameOf(item)}</span>
              <span className={css.muted}>{item.board}</span>
            </label>
            {item.commands !== null &&
              commandLines(item.commands).map((line, at) => (
                <CommandText key={at} label={nameOf(item)}>
                  {line}
                </CommandText>
              ))}
            {item.commands !== null && <RunsWhere commands={item.commands} />}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
