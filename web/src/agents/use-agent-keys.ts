import { useLocation } from 'wouter'
import { useMessages } from '../i18n/use-messages.tsx'
import { agentPath, ROUTES } from '../routes/paths.ts'
import { useShortcuts } from '../shortcuts/use-shortcut.tsx'
import { neighbour } from './agent-state.ts'
import { agentsMessages } from './messages.ts'

/** The shortcuts of the list: `j` and `k` open the next and the previous agent, and Escape closes the open agent. */
export function useAgentKeys(names: readonly string[], open: string | null): void {
  const t = useMessages(agentsMessages)
  const [, navigate] = useLocation()
  const go = (steps: 1 | -1) => (): void => {
    const next = neighbour(names, open, steps)
    if (next !== null) navigate(agentPath(next), { replace: open !== null })
  }
  const group = t('groupAgents')
  const leave = { keys: 'escape', name: t('close'), group, onPress: () => navigate(ROUTES.agents) }
  useShortcuts([
    { keys: 'j', name: t('next'), group, onPress: go(1) },
    { keys: 'k', name: t('previous'), group, onPress: go(-1) },
    ...(open === null ? [] : [leave]),
  ])
}
