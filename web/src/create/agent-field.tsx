import { useQuery } from '@tanstack/react-query'
import { rosterQuery } from '../api/queries.ts'
import type { RosterAgent } from '../api/queries.ts'
import { AgentSelect } from '../cards/agent-select.tsx'
import { useMessages } from '../i18n/use-messages.tsx'
import { FormField } from './form-field.tsx'
import { createMessages } from './messages.ts'
import type { CreateForm } from './use-create-form.ts'

/**
 * Returns the agent that gets the card. Null means that the agent is unknown, or that the board has no agent for
 * unassigned cards.
 */
export function useChosenAgent({ draft, settings }: CreateForm): RosterAgent | null {
  const { data } = useQuery(rosterQuery)
  const name = draft.assignee === '' ? (settings?.defaultAssignee ?? null) : draft.assignee
  return data?.agents.find((agent) => agent.name === name) ?? null
}

interface Props {
  readonly form: CreateForm
  readonly agent: RosterAgent | null
}

export function AgentField({ form, agent }: Props) {
  const t = useMessages(createMessages)
  const byDefault = form.settings?.defaultAssignee ?? null
  const problem = agent === null ? undefined : agent.problems[0]
  return (
    <FormField
      form={form}
      name="assignee"
      label={t('agent')}
      hint={agent !== null && problem !== undefined ? t('agentBroken', { agent: agent.name, problem }) : undefined}
    >
      {(control) => (
        <AgentSelect
          {...control}
          label={t('agent')}
          value={form.draft.assignee}
          onChange={(assignee) => form.set('assignee', assignee)}
          none={{
            label: t('noAgent'),
            note: byDefault === null ? t('noAgentWaits') : t('noAgentDefault', { agent: byDefault }),
          }}
        />
      )}
    </FormField>
  )
}

export function ReviewField({ form }: { readonly form: CreateForm }) {
  const t = useMessages(createMessages)
  const byBoard = form.settings?.reviewer ?? null
  return (
    <FormField form={form} name="reviewer" label={t('review')}>
      {(control) => (
        <AgentSelect
          {...control}
          label={t('review')}
          value={form.draft.reviewer}
          onChange={(reviewer) => form.set('reviewer', reviewer)}
          none={
            byBoard === null
              ? { label: t('noReviewer'), note: t('noReviewerAsk') }
              : { label: t('noReviewerBoard', { agent: byBoard }) }
          }
        />
      )}
    </FormField>
  )
}
