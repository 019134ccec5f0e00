import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import { useCommand } from '../api/use-command.ts'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { showToast } from '../ui/toasts.ts'
import { pauseMessages } from './pause-messages.ts'

const REFRESHED = () => [keys.roster, keys.pauses, keys.accounts]

export function useResume(kind: 'agent' | 'account', name: string) {
  const language = useLanguage()
  return useCommand<void, unknown>({
    run: () => client.resume({ kind, name }),
    refresh: REFRESHED,
    onRefusal: (error) => showToast({ kind: 'failed', text: describeError(error, language) }),
  })
}

export interface PauseInput {
  readonly reason: string
  /** The length of the pause. Null means until a person resumes the agent. */
  readonly forMs: number | null
}

/** Pauses an agent. The message about the pause offers to undo it. */
export function usePause(name: string, now: () => number, onDone: () => void) {
  const t = useMessages(pauseMessages)
  const resume = useResume('agent', name)
  return useCommand({
    run: ({ reason, forMs }: PauseInput) =>
      client.pause({
        kind: 'agent',
        name,
        reason: reason.trim() === '' ? null : reason.trim(),
        until: forMs === null ? null : now() + forMs,
      }),
    refresh: REFRESHED,
    onDone() {
      onDone()
      showToast({
        kind: 'done',
        text: t('isPaused', { agent: name }),
        action: { label: t('resume'), onChoose: () => resume.mutate() },
      })
    },
  })
}
