import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../i18n/use-messages.tsx'
import { ListSkeleton } from '../page/list-skeleton.tsx'
import { PageHeader } from '../page/page-header.tsx'
import { ErrorState } from '../ui/states.tsx'
import { classNames } from '../ui/class-names.ts'
import { AgentDetail } from './agent-detail.tsx'
import { AgentList } from './agent-list.tsx'
import { figuresOf } from './agent-state.ts'
import css from './agents.module.css'
import { agentsMessages } from './messages.ts'
import type { Member } from './queries.ts'
import { rosterQuery } from './queries.ts'
import { useAgentKeys } from './use-agent-keys.ts'

interface Props {
  /** The agent whose details are open. */
  readonly agent: string | null
}

export function AgentsScreen({ agent }: Props) {
  const t = useMessages(agentsMessages)
  const { data, error, refetch } = useQuery(rosterQuery)
  return (
    <>
      <PageHeader title={t('title')} summary={data !== undefined && <Summary agents={data.agents} />} />
      {data !== undefined ? (
        <Panes agents={data.agents} open={agent} />
      ) : error === null ? (
        <ListSkeleton label={t('loading')} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

function Summary({ agents: all }: { readonly agents: readonly Member[] }) {
  const t = useMessages(agentsMessages)
  const { agents, running, waiting } = figuresOf(all)
  return `${t('agents', { n: agents })} · ${t('runningNow', { n: running })} · ${t('cardsWait', { n: waiting })}`
}

interface PanesProps {
  readonly agents: readonly Member[]
  readonly open: string | null
}

/** Shows the list, and the open agent beside it. If the window has no room for both, shows only the open agent. */
function Panes({ agents, open }: PanesProps) {
  useAgentKeys(
    agents.map(({ name }) => name),
    open,
  )
  return (
    <div className={classNames(css.page, open !== null && css.both)}>
      <div className={css.pane}>
        <AgentList agents={agents} open={open} />
      </div>
      {open !== null && (
        <div className={classNames(css.pane, css.detail)}>
          <AgentDetail key={open} name={open} member={agents.find(({ name }) => name === open)} />
        </div>
      )}
    </div>
  )
}
