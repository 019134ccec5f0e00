/** Describes what happens when the person acts on an item, as a message key. */
import type { InboxItem } from '../api/queries.ts'

export type Outcome =
  | { readonly is: 'answer' | 'retry' | 'unblock'; readonly attempt: number }
  | { readonly is: 'approveAfterChecks' | 'approve' | 'land' | 'pick' | 'triage' | 'agent' | 'other' }
  | { readonly is: 'approveCommands'; readonly user: string; readonly host: string }
  | { readonly is: 'resume'; readonly agents: readonly string[] }

type Acted = Pick<InboxItem, 'kind' | 'spent' | 'commands' | 'agents' | 'work'>

export function outcomeOf({ kind, spent, commands, agents, work }: Acted): Outcome {
  const attempt = (spent?.attempts ?? 0) + 1
  switch (kind) {
    case 'question':
      return { is: 'answer', attempt }
    case 'stopped':
      return { is: 'retry', attempt }
    case 'blocked':
      return { is: 'unblock', attempt }
    case 'review':
      return { is: work?.checks == null ? 'approve' : 'approveAfterChecks' }
    case 'approval':
      return commands === null ? { is: 'other' } : { is: 'approveCommands', ...commands.runsAs }
    case 'account':
      return { is: 'resume', agents }
    case 'triage':
      return { is: 'triage' }
    case 'agent':
      return { is: 'agent' }
    case 'pick':
      return { is: 'pick' }
    case 'unlanded':
      return { is: 'land' }
    default:
      // A newer server sent this kind, so this page does not know it.
      return { is: 'other' }
  }
}
