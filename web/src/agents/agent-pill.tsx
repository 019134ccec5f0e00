import { useMessages } from '../i18n/use-messages.tsx'
import { Pill } from '../ui/pill.tsx'
import { hueOfState, stateOf } from './agent-state.ts'
import { StateIcon } from './state-icon.tsx'
import { agentsMessages } from './messages.ts'
import type { Member } from './queries.ts'

/** Shows the state of an agent as a name, a shape and a colour. */
export function AgentPill({ member }: { readonly member: Member }) {
  const t = useMessages(agentsMessages)
  const state = stateOf(member)
  const { running: n, maxConcurrent: cap } = member
  const text = state !== 'running' ? t(state) : cap === null ? t('running', { n }) : t('runningOf', { n, cap })
  return (
    <Pill hue={hueOfState(state)} icon={<StateIcon state={state} />}>
      {text}
    </Pill>
  )
}
