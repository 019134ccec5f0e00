import type { Outputs } from '../../../../src/client/index.ts'
import type { InboxItem } from '../../api/queries.ts'
import { formatNumber } from '../../i18n/messages.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Facts } from '../../page/facts.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Tag } from '../../ui/pill.tsx'
import type { CardItem } from '../card-item.ts'
import { detailMessages } from '../detail-messages.ts'
import { DiffCount } from '../kinds/proof.tsx'
import css from './detail.module.css'

const AgentName = ({ name }: { readonly name: string }) => (
  <span className={css.agent}>
    <Avatar agent={name} />
    {name}
  </span>
)

const Lines = ({ lines }: { readonly lines: readonly string[] }) => (
  <span className={css.lines}>
    {lines.map((line, at) => (
      <span key={at}>{line}</span>
    ))}
  </span>
)

export function CardFacts({ item, card }: { readonly item: CardItem; readonly card: Outputs['show'] }) {
  const t = useMessages(detailMessages)
  const language = useLanguage()
  const { work, waitedFor, spent } = item
  const { assignee, reviewer, checks, workspace, branch, labels } = card
  const folder = workspace.kind === 'scratch' ? null : (workspace.repo ?? workspace.path)
  return (
    <Facts
      facts={[
        { name: t('board'), value: item.board },
        { name: t('agentName'), value: assignee === null ? null : <AgentName name={assignee} /> },
        { name: t('reviewer'), value: reviewer === null ? null : <AgentName name={reviewer} /> },
        { name: t('checks'), value: checks.length === 0 ? null : <Lines lines={checks} />, isCode: true },
        { name: t('folder'), value: folder, isCode: true },
        { name: t('branch'), value: branch, isCode: true },
        { name: t('landsOn'), value: item.kind === 'unlanded' ? workspace.baseBranch : null, isCode: true },
        { name: t('waiting'), value: waitedFor === 0 ? null : t('waitingCards', { n: waitedFor }) },
        {
          name: t('changed'),
          value:
            work?.changes == null ? null : (
              <>
                <DiffCount {...work.changes} /> {t('inFiles', { n: work.changes.files })}
              </>
            ),
        },
        { name: t('attempts'), value: spent === null ? null : formatNumber(language, spent.attempts) },
        {
          name: t('labels'),
          value:
            labels.length === 0 ? null : (
              <span className={css.tags}>
                {labels.map((label) => (
                  <Tag key={label}>{label}</Tag>
                ))}
              </span>
            ),
        },
      ]}
    />
  )
}

export function AccountFacts({ item: { agents, waitedFor, logIn } }: { readonly item: InboxItem }) {
  const t = useMessages(detailMessages)
  return (
    <Facts
      facts={[
        {
          name: t('accountAgents'),
          value:
            agents.length === 0 ? null : (
              <span className={css.lines}>
                {agents.map((agent) => (
                  <AgentName key={agent} name={agent} />
                ))}
              </span>
            ),
        },
        { name: t('accountCards'), value: t('waitingCards', { n: waitedFor }) },
        { name: t('logIn'), value: logIn, isCode: true },
      ]}
    />
  )
}
