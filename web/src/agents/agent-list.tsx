import { Bot } from 'lucide-react'
import { Link } from 'wouter'
import { formatMoney, formatPercent } from '../i18n/format.ts'
import { formatNumber } from '../i18n/messages.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { agentPath, waitingPath } from '../routes/paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { classNames } from '../ui/class-names.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { EmptyState } from '../ui/states.tsx'
import { pauseEndOf, permissionOf, stateOf } from './agent-state.ts'
import { AgentPill } from './agent-pill.tsx'
import css from './agents.module.css'
import { agentsMessages } from './messages.ts'
import { Until } from './pauses.tsx'
import type { Member } from './queries.ts'

interface Props {
  readonly agents: readonly Member[]
  readonly open: string | null
}

export function AgentList({ agents, open }: Props) {
  const t = useMessages(agentsMessages)
  if (agents.length === 0)
    return (
      <EmptyState icon={<Bot />} title={t('emptyTitle')}>
        {t('emptyText')}
      </EmptyState>
    )
  return (
    <div className={css.list}>
      <div className={css.rows}>
        <div className={css.heads} aria-hidden="true">
          <span>{t('colAgent')}</span>
          <span>{t('colSetup')}</span>
          <span>{t('colState')}</span>
          <span className={css.number}>{t('colWaiting')}</span>
          <span className={css.number}>{t('colSuccess')}</span>
          <span className={css.number}>{t('colCost')}</span>
        </div>
        <ul aria-label={t('list')}>
          {agents.map((member) => (
            <AgentRow key={member.name} member={member} isOpen={member.name === open} />
          ))}
        </ul>
      </div>
      {agents.every(({ harness }) => harness === 'shell') && <FindHint />}
    </div>
  )
}

/** Explains what to do on a machine without any agent CLI. */
function FindHint() {
  const t = useMessages(agentsMessages)
  return (
    <section className={css.hint}>
      <h2>{t('onlyShell')}</h2>
      <p>{t('onlyShellText')}</p>
      <CodeBlock>muster init</CodeBlock>
    </section>
  )
}

interface RowProps {
  readonly member: Member
  readonly isOpen: boolean
}

function AgentRow({ member, isOpen }: RowProps) {
  const { name, description, problems } = member
  return (
    <li className={css.row}>
      <Link href={agentPath(name)} className={css.name} aria-current={isOpen ? 'true' : undefined}>
        <Avatar agent={name} isLarge />
        <span className={css.text}>
          <span className={css.title}>{name}</span>
          <span className={css.note}>{stateOf(member) === 'broken' ? problems[0] : description}</span>
        </span>
      </Link>
      <Setup member={member} />
      <span className={css.state}>
        <AgentPill member={member} />
        <PauseEnd member={member} />
      </span>
      <RowFacts member={member} />
    </li>
  )
}

/** Shows the program of the agent, and what it may do. */
function Setup({ member: { harness, cli, permissions } }: { readonly member: Member }) {
  const t = useMessages(agentsMessages)
  const known = permissionOf({ harness, permissions })
  return (
    <span className={css.setup}>
      <span className={css.title}>{cli?.title ?? harness}</span>
      <span className={css.note}>{known === undefined ? permissions : t(`may_${known}`)}</span>
    </span>
  )
}

/** Shows when the pause of the agent, or of its account, ends. */
function PauseEnd({ member }: { readonly member: Member }) {
  const end = pauseEndOf(member)
  return end === null ? null : (
    <span className={css.until}>
      <Until at={end} />
    </span>
  )
}

function RowFacts({ member: { name, waiting, isWaitingExact, week } }: { readonly member: Member }) {
  const t = useMessages(agentsMessages)
  const language = useLanguage()
  const count = `${formatNumber(language, waiting)}${isWaitingExact ? '' : '+'}`
  return (
    <dl className={css.facts}>
      <div className={css.fact}>
        <dt>{t('colWaiting')}</dt>
        <dd>
          {waiting === 0 ? (
            <span className={css.none}>0</span>
          ) : (
            <Link
              href={waitingPath(name)}
              className={css.waiting}
              // The name begins with the shown number, so that a person who speaks to the browser can say it.
              aria-label={`${count}: ${t('waitingFor', { n: waiting, agent: name })}`}
            >
              {count}
            </Link>
          )}
        </dd>
      </div>
      <div className={css.fact}>
        <dt className={classNames(week.successRate === null && css.hidden)}>{t('success')}</dt>
        <dd className={classNames(week.successRate === null && css.none)}>
          {week.successRate === null ? t('noRuns') : formatPercent(language, week.successRate)}
        </dd>
      </div>
      <div className={css.fact}>
        <dt>{t('cost')}</dt>
        <dd className={classNames(week.costUsd === 0 && css.none)}>{formatMoney(language, week.costUsd)}</dd>
      </div>
    </dl>
  )
}
