/**
 * Formats the output of `inbox`. Each item has its title, the question or the reason, and the command that resolves the
 * item.
 */
import type { InboxKind } from '../../core/inbox.ts'
import type { InboxItem } from '../../operations/inbox/views.ts'
import { oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import { paintsFor } from './paint.ts'
import { reasonSentence, wayOut } from './reason-text.ts'
import { ago } from './relative-time.ts'
import { remedyLine } from './remedy-line.ts'
import { shortId } from './short-id.ts'
import { cutTo, widthOf } from './width.ts'
import { wrapAroundCommands } from './wrap.ts'

export const INBOX_ICONS: Readonly<Record<InboxKind, string>> = {
  account: '○',
  question: '?',
  approval: '!',
  review: '◎',
  pick: '⚑',
  stopped: '✗',
  blocked: '⊘',
  agent: '▷',
  triage: '◇',
  unlanded: '↑',
}

interface InboxTextOptions {
  readonly terminal: Terminal | null
  readonly now: number
}

export function inboxText(items: readonly InboxItem[], { terminal, now }: InboxTextOptions): string {
  const manyBoards = new Set(items.flatMap(({ board }) => board ?? [])).size > 1
  const width = terminal?.columns ?? Infinity
  const paints = paintsFor(terminal?.colors ?? false)
  return items
    .map((item) => {
      const facts = [
        ...(item.task === null ? [] : [shortId(item.id)]),
        ...(manyBoards && item.board !== null ? [item.board] : []),
        ago(item.since, now),
      ].join('  ')
      const title = cutTo(`${INBOX_ICONS[item.kind]} ${titleOf(item)}`, Math.max(20, width - widthOf(facts) - 2))
      return [
        `${paints.strong(title)}  ${paints.faint(facts)}`,
        `  ${cutTo(aboutItem(item), width - 2)}`,
        ...wrapAroundCommands(`→ ${nextStep(item)}`, width - 4).map((line, at) => `${at === 0 ? '  ' : '    '}${line}`),
      ].join('\n')
    })
    .join('\n')
}

export const titleOf = ({ task, account }: InboxItem): string =>
  task === null ? `Account ${oneLine(account ?? '')}` : oneLine(task.title)

/** The question of an item. If the item has no question, this is the reason. */
export function aboutItem({ kind, question, reason }: InboxItem): string {
  if (kind === 'unlanded') return 'The work is on a branch of its own and has not landed.'
  if ((kind === 'question' || kind === 'blocked') && question !== null) return oneLine(question)
  return reason === null ? '' : reasonSentence(reason)
}

function nextStep({ kind, remedies, reason }: InboxItem): string {
  const commands = remedies.map((remedy) => oneLine(remedyLine(remedy)))
  if (kind === 'question') return commands.join(', or ')
  if (kind === 'unlanded') return commands.join(', then ')
  return reason === null ? '' : wayOut(reason)
}
