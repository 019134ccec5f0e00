/** The screen of `muster` without a command. It has at most 20 lines. */
import type { Glance } from '../../operations/boards/at-a-glance.ts'
import { oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import { span } from './format-values.ts'
import { INBOX_ICONS, aboutItem, titleOf } from './inbox.ts'
import { paintsFor } from './paint.ts'
import { ago } from './relative-time.ts'
import { shortId } from './short-id.ts'
import { cutTo, widthOf } from './width.ts'

const SHOWN = 3
/** The maximum number of items to count. A larger number is shown as `50+`. */
export const ITEMS_COUNTED = 50

export function glanceText(glance: Glance, terminal: Terminal): string {
  const paints = paintsFor(terminal.colors)
  const row = (icon: string, title: string, facts: string): string => {
    const shown = cutTo(`  ${icon} ${oneLine(title)}`, Math.max(12, terminal.columns - widthOf(facts) - 2))
    return cutTo(`${shown}  ${facts}`, terminal.columns)
  }
  const section = (title: string, rows: readonly string[], more: string | null): readonly string[] => [
    paints.strong(cutTo(title, terminal.columns)),
    ...rows,
    ...(more === null ? [] : [paints.faint(cutTo(`  ${more}`, terminal.columns))]),
  ]
  const { running, items, finished, now } = glance
  return [
    cutTo(stateText(glance), terminal.columns),
    '',
    ...section(
      `Running ${running.length}`,
      running
        .slice(0, SHOWN)
        .map(({ task, run }) =>
          row(
            '●',
            task.title,
            `${shortId(task.id)}  ${oneLine(run.agent ?? run.claimedBy)}  ${span(now - run.startedAt)}`,
          ),
        ),
      running.length > SHOWN ? `and ${running.length - SHOWN} more: muster ps` : null,
    ),
    ...section(
      `Needs you ${countText(glance)}`,
      items.slice(0, SHOWN).map((item) => row(INBOX_ICONS[item.kind], itemText(item), ago(item.since, now))),
      items.length > SHOWN ? 'to list all: muster inbox' : null,
    ),
    ...section(
      `Finished in 24 h ${finished.count}`,
      finished.cards
        .slice(0, SHOWN)
        .map((task) => row('✓', task.title, `${shortId(task.id)}  ${ago(task.completedAt ?? now, now)}`)),
      null,
    ),
    '',
    `Next: ${nextCommand(glance)}`,
  ].join('\n')
}

/**
 * Formats the line of an item. An item without a card is about an account, and its reason already names the account.
 */
const itemText = (item: Glance['items'][number]): string =>
  item.task === null ? aboutItem(item) : `${titleOf(item)}: ${aboutItem(item)}`

const countText = ({ items, moreItems }: Glance): string => (moreItems ? `${items.length}+` : String(items.length))

function stateText({ dispatcher }: Glance): string {
  if (dispatcher.is === 'active') return 'Muster is running.'
  if (dispatcher.is === 'hung')
    return `Muster (pid ${dispatcher.pid}) is ${dispatcher.suspended ? 'suspended' : 'not responding'}.`
  return "Muster isn't running. Start it with: muster up"
}

function nextCommand({ items, dispatcher, ready, cards }: Glance): string {
  if (cards === 0) return 'muster create "Say hello" --assignee shell --body "echo hello"'
  if (items.length > 0) return 'muster inbox'
  if (dispatcher.is !== 'active' && ready > 0) return 'muster up'
  return 'muster board'
}
