import * as z from 'zod'
import { actorName } from '../actor.ts'
import type { Account } from '../account.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Refused, ScopeRows } from '../decision.ts'
import type { InboxMark } from '../inbox.ts'
import { name, taskId, time } from '../input/fields.ts'
import { findTask, isRefused } from './guards.ts'

const card = z.object({ kind: z.literal('card'), id: taskId })
const account = z.object({ kind: z.literal('account'), name })

type Item = z.infer<typeof card> | z.infer<typeof account>

/** Hides an item of the inbox until the given time or until its card or account changes. */
export const hideFromInbox = defineVerb({
  name: 'hide_from_inbox',
  input: z.object({ item: z.discriminatedUnion('kind', [card, account]), until: time.nullable().default(null) }),
  scope: ({ item }) => (item.kind === 'card' ? { tasks: [item.id] } : { account: item.name }),
  decide: ({ rows, input: { item, until }, actor, now }) => {
    if (actor.kind !== 'person') return refuse('not_allowed', 'Only a person may hide an item of the inbox.')
    const found = findItem(rows, item)
    if (isRefused(found)) return found
    const { taskId: id, ...hidden } = found
    return accept(
      { ...hidden, until },
      {
        changes: [
          { op: 'put_inbox_mark', row: { ...hidden, hiddenUntil: until, markedBy: actorName(actor), markedAt: now } },
        ],
        events: [{ kind: 'hidden_from_inbox', taskId: id, data: { kind: hidden.kind, name: hidden.name, until } }],
      },
    )
  },
})

/** Shows a hidden item in the inbox again. */
export const showInInbox = defineVerb({
  name: 'show_in_inbox',
  input: z.object({ item: z.discriminatedUnion('kind', [card, account]) }),
  scope: ({ item }) => (item.kind === 'card' ? { tasks: [item.id] } : { account: item.name }),
  decide: ({ rows, input: { item }, actor }) => {
    if (actor.kind !== 'person') return refuse('not_allowed', 'Only a person may show a hidden item of the inbox.')
    const found = findItem(rows, item)
    if (isRefused(found)) return found
    const { kind, name: shown, taskId: id } = found
    return accept(
      { kind, name: shown },
      {
        changes: [{ op: 'delete_inbox_mark', kind, name: shown }],
        events: [{ kind: 'shown_in_inbox', taskId: id, data: { kind, name: shown } }],
      },
    )
  },
})

type Found = Pick<InboxMark, 'kind' | 'name' | 'board' | 'version'> & { readonly taskId: z.infer<typeof taskId> | null }

function findItem(rows: ScopeRows, item: Item): Found | Refused {
  if (item.kind === 'account') return findAccount(rows.account, item.name)
  const task = findTask(rows, item.id)
  if (isRefused(task)) return task
  return { kind: 'card', name: task.id, board: task.board, version: task.updatedAt, taskId: task.id }
}

const findAccount = (row: Account | null, wanted: string): Found | Refused =>
  row === null
    ? refuse('account_not_found', `There is no account ${wanted}.`, { account: wanted })
    : { kind: 'account', name: row.name, board: '', version: row.updatedAt, taskId: null }
