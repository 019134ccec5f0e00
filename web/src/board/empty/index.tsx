/** Shows a board without cards: what a card is, which agents this machine has, and three ways to start. */
import { useQuery } from '@tanstack/react-query'
import { Check, ChevronRight, Play } from 'lucide-react'
import { Fragment } from 'react'
import { Link, useLocation } from 'wouter'
import type { Status } from '../../../../src/core/vocabulary.ts'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { rosterQuery } from '../../api/queries.ts'
import type { RosterAgent } from '../../api/queries.ts'
import { useCommand } from '../../api/use-command.ts'
import { useNow } from '../../app-state/use-now.ts'
import { agentState } from '../../cards/agent-state.ts'
import { statusMessages } from '../../cards/status-messages.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { agentPath, cardPath } from '../../routes/paths.ts'
import { useCreateDialog } from '../../routes/use-create-dialog.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { showToast } from '../../ui/toasts.ts'
import css from './empty.module.css'
import { emptyMessages } from './messages.ts'
import { useLoadSample } from './use-sample-board.ts'

const WAY: readonly Status[] = ['ready', 'running', 'review', 'done']

const SHELL = 'shell'
const FIRST_BODY = 'echo "Hello from Muster"\ndate\n'

export function EmptyBoard({ board }: { readonly board: string }) {
  const t = useMessages(emptyMessages)
  const tStatus = useMessages(statusMessages)
  return (
    <div className={css.hello}>
      <div className={css.page}>
        <div className={css.intro}>
          <h2 className={css.title}>{t('title')}</h2>
          <p className={css.text}>{t('text')}</p>
        </div>
        <div className={css.way} role="img" aria-label={t('flow')}>
          {WAY.map((status, at) => (
            <Fragment key={status}>
              {at > 0 && <ChevronRight />}
              <span className={css.step}>
                <StatusIcon status={status} />
                {tStatus(status)}
              </span>
            </Fragment>
          ))}
        </div>
        <Agents />
        <Actions board={board} />
      </div>
    </div>
  )
}

function Agents() {
  const t = useMessages(emptyMessages)
  const { data } = useQuery(rosterQuery)
  const agents = data?.agents
  const ready = agents?.filter(({ isUsable }) => isUsable).length ?? 0
  const missing = (agents?.length ?? 0) - ready
  return (
    <section className={css.agents}>
      <h3 className={css.heading}>
        {t('agents')}
        <small>
          {agents !== undefined && (missing === 0 ? t('allReady', { ready }) : t('agentsCount', { ready, missing }))}
        </small>
      </h3>
      {agents === undefined ? (
        <div className={css.box} aria-busy="true" aria-label={t('loading')} role="region">
          {[34, 28, 40].map((width) => (
            <div key={width} className={css.agent}>
              <Skeleton width={width} />
            </div>
          ))}
        </div>
      ) : agents.length === 0 ? (
        <p className={css.text}>{t('noAgents')}</p>
      ) : (
        <ul className={css.box}>
          {agents.map((agent) => (
            <AgentLine key={agent.name} agent={agent} />
          ))}
        </ul>
      )}
    </section>
  )
}

function AgentLine({ agent }: { readonly agent: RosterAgent }) {
  const t = useMessages(emptyMessages)
  const language = useLanguage()
  const now = useNow()
  const { name, isUsable, cli } = agent
  return (
    <li className={css.agent}>
      <Avatar agent={name} />
      <span className={css.name}>{name}</span>
      <span className={css.state}>
        {isUsable ? (
          <span className={css.ok}>
            <Check />
            {t('ready')}
          </span>
        ) : (
          <>
            {agentState(agent, { language, now })}
            {cli !== null && (
              <Link href={agentPath(name)} className={css.link}>
                {t('howTo')}
              </Link>
            )}
          </>
        )}
      </span>
    </li>
  )
}

function Actions({ board }: { readonly board: string }) {
  const t = useMessages(emptyMessages)
  const language = useLanguage()
  const [, navigate] = useLocation()
  const { open } = useCreateDialog()
  const sample = useLoadSample()
  const { data } = useQuery(rosterQuery)
  const hasShell = data?.agents.some(({ name, isUsable }) => name === SHELL && isUsable) ?? true
  const first = useCommand<void, Awaited<ReturnType<typeof client.create>>>({
    run: () => client.create({ title: t('firstTitle'), body: FIRST_BODY, assignee: SHELL }, { board }),
    refresh: () => [keys.board(board), keys.boards],
    onDone({ task }) {
      showToast({ kind: 'done', text: t('firstStarted') })
      navigate(cardPath(task.board, task.id))
    },
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
  return (
    <>
      <div className={css.actions}>
        <Button
          look="primary"
          icon={<Play />}
          writes
          isBusy={first.isPending}
          disabledReason={hasShell ? null : t('noShell')}
          onClick={() => first.mutate()}
        >
          {t('first')}
        </Button>
        <Button writes onClick={() => open({ board })}>
          {t('newCard')} <Kbd keys="c" />
        </Button>
        <Button look="ghost" writes isBusy={sample.isBusy} onClick={sample.load}>
          {t(sample.exists ? 'openSample' : 'sample')}
        </Button>
      </div>
      <p className={css.hint}>{t.rich('hint', { command: <code key="command">date</code> })}</p>
    </>
  )
}
