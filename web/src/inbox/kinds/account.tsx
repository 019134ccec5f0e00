import { useRef } from 'react'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import type { InboxItem } from '../../api/queries.ts'
import { formatList } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { copyText } from '../../ui/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { actionMessages } from '../action-messages.ts'
import { useInbox } from '../inbox-context.ts'
import css from '../item.module.css'
import { LongText } from '../long-text.tsx'
import { headingId } from '../item-heading.tsx'
import { Refusal } from '../refusal.tsx'
import { useItemCommand } from '../use-item-command.ts'
import { useItemKeys } from '../use-item-keys.ts'

const TITLES = { auth: 'loggedOut', quota: 'outOfQuota', person: 'accountPaused' } as const

/** Shows an account that is paused until a person resumes it. None of its agents can start cards. */
export function AccountItem({ item }: { readonly item: InboxItem }) {
  const t = useMessages(actionMessages)
  const { currentId } = useInbox()
  const queries = useQueryClient()
  const button = useRef<HTMLButtonElement>(null)
  const account = item.account ?? item.id
  const cause = item.reason?.params['cause']
  const title = cause === 'auth' || cause === 'quota' ? TITLES[cause] : TITLES.person
  const resume = useItemCommand<void, unknown>(item, {
    run: () => client.resume({ kind: 'account', name: account }),
    done: () => ({ text: t('resumed', { account }) }),
    onDone: () => void queries.invalidateQueries({ queryKey: keys.agents }),
  })
  useItemKeys(item.id, { act: () => button.current?.click() })
  return (
    <>
      <h2 className={css.heading} id={headingId(item.id)}>
        {t(title, { account })}
      </h2>
      {item.question !== null && item.question !== '' && <LongText text={item.question} />}
      <div className={css.actions}>
        <AccountFacts item={item} />
        <span className={css.push}>
          {item.logIn !== null && <CopyCommand command={item.logIn} />}
          <Button
            ref={button}
            size="small"
            look={currentId === item.id ? 'primary' : 'normal'}
            writes
            isBusy={resume.isPending}
            onClick={() => resume.mutate()}
          >
            {t('resume')}
          </Button>
        </span>
      </div>
      <Refusal error={resume.error} />
    </>
  )
}

function AccountFacts({ item: { logIn, waitedFor, agents } }: { readonly item: InboxItem }) {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  return (
    <span className={css.proof}>
      <span>{logIn === null ? t('resumeWhenReady') : t.rich('runThen', { command: <code>{logIn}</code> })}</span>
      {agents.length > 0 && <span>{t('accountOf', { agents: formatList(language, agents) })}</span>}
      {waitedFor > 0 && <span>{t('waitedFor', { n: waitedFor })}</span>}
    </span>
  )
}

export function CopyCommand({ command }: { readonly command: string }) {
  const t = useMessages(actionMessages)
  return (
    <Button size="small" onClick={() => void copyText(command, { done: t('copied'), refused: t('copyRefused') })}>
      {t('copyCommand')}
    </Button>
  )
}
