/**
 * The card that a mention creates. It waits for the card of the comment, so it gets that card's result and files. The
 * other direction would delay the commented card until the mentioned agent has answered, and a comment never delays a
 * card.
 */
import type { Comment } from './comment.ts'
import { inheritedWorkspace } from './input/inherited-workspace.ts'
import { mentionsIn } from './mention.ts'
import type { Task } from './task.ts'
import { cut } from './text.ts'

const TITLE_MAX = 120

const KEY_START = 'mention:'

/** A comment creates at most one card for each agent. */
export const mentionKey = (comment: string, agent: string): string => `${KEY_START}${comment}:${agent}`

/** Whether a key is kept for the cards of mentions. With such a key, an agent could put its own card in their place. */
export const isMentionKey = (key: string | null): boolean => key?.startsWith(KEY_START) ?? false

type Commented = Pick<Task, 'id' | 'title' | 'tenant' | 'session' | 'priority' | 'labels' | 'workspace'>

/** The fields of the new card. It inherits what the cards of a plan inherit. */
export const mentionCard = (
  { id: task, title, tenant, session, priority, labels, workspace }: Commented,
  { id, author, body }: Pick<Comment, 'id' | 'author' | 'body'>,
  agent: string,
) => ({
  title: titleFor(agent, body, title),
  body: `${body}\n\n---\nFrom a comment by ${author} on card ${task} “${title}”. This card waits for that card and gets its result and files.`,
  assignee: agent,
  idempotencyKey: mentionKey(id, agent),
  parents: [task],
  tenant,
  session,
  priority,
  labels: [...labels],
  workspace: inheritedWorkspace(workspace),
})

const LEADING =
  /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:(?:(?:and|&)\s+)?[*_("'“‘]{0,2}@[a-z0-9_-]+(?![\p{L}\p{N}])[*_)"'”’]{0,2}[\s,:;，：、]*)+/iu

/** The line that mentions the agent, without the mentions at its beginning. */
function titleFor(agent: string, body: string, title: string): string {
  const line = body.split('\n').find((one) => mentionsIn(one).includes(agent)) ?? ''
  const text = line.replace(LEADING, '').trim()
  const whole = text === '' ? `Comment on “${title}”` : text
  return whole.length > TITLE_MAX ? `${cut(whole, TITLE_MAX - 1).trimEnd()}…` : whole
}
