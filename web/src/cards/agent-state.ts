/**
 * Describes whether an agent can take a card now. The function is pure: the caller passes the language and the time.
 */
import type { RosterAgent } from '../api/queries.ts'
import { formatMoment } from '../i18n/format.ts'
import type { Language } from '../i18n/language.ts'
import { formatMessage } from '../i18n/messages.ts'
import { agentMessages } from './agent-messages.ts'

type Facts = Pick<RosterAgent, 'isUsable' | 'harness' | 'program' | 'pause' | 'quota' | 'running' | 'maxConcurrent'>

interface Context {
  readonly language: Language
  readonly now: number
}

/** Returns the first reason why the agent cannot take a card. If there is none, describes the work of the agent. */
export function agentState(agent: Facts, { language, now }: Context): string {
  const say = (
    key: keyof (typeof agentMessages)['en'],
    values: Readonly<Record<string, string | number>> = {},
  ): string => formatMessage(language, agentMessages[language][key], values)
  const timed = (key: 'paused' | 'quota', until: number | null): string =>
    until === null ? say(key) : say(`${key}Until`, { time: formatMoment(language, until, now) })
  const { isUsable, harness, program, pause, quota, running, maxConcurrent } = agent
  if (!isUsable) return say(harness !== null && program === null ? 'notInstalled' : 'cannotRun')
  if (quota?.state === 'paused') {
    if (quota.cause === 'auth') return say('loggedOut')
    return timed(quota.cause === 'quota' ? 'quota' : 'paused', quota.until)
  }
  if (pause !== null) return timed('paused', pause.until)
  if (running === 0) return say('free')
  return maxConcurrent === null
    ? say('running', { n: running })
    : say('runningOf', { n: running, limit: maxConcurrent })
}
