import * as z from 'zod'
import { actorName } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import { line, slug } from '../input/fields.ts'
import type { SavedView } from '../saved-view.ts'

const viewName = line.refine((name) => name.length <= 80, 'must have 1-80 characters')
const query = z.string().regex(/^[\x21-\x7E]{0,2000}$/, 'must be the query of a URL, such as status=blocked')

const onlyPeople = (actor: Actor): Refused | null =>
  actor.kind === 'person' ? null : refuse('not_allowed', 'Only a person may manage saved views.')

const missing = (name: string): Refused =>
  refuse('view_not_found', `There is no saved view ${name}. To list views: muster views`, { view: name })

/** Saves a view. A view with the same name is replaced. */
export const saveView = defineVerb({
  name: 'save_view',
  input: z.object({ name: viewName, board: slug.nullable(), query }),
  scope: () => ({}),
  facts: ({ input: { name } }) => ({ before: { fact: 'saved_view' as const, name } }),
  decide: ({ input, actor, now, facts: { before } }) => {
    const row: SavedView = {
      ...input,
      createdBy: before?.createdBy ?? actorName(actor),
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
    }
    const { name, board } = row
    return (
      onlyPeople(actor) ??
      accept(row, {
        changes: [{ op: 'put_saved_view', row }],
        events: [{ kind: 'view_saved', taskId: null, data: { name, board } }],
      })
    )
  },
})

export const renameView = defineVerb({
  name: 'rename_view',
  input: z.object({ name: line, to: viewName }),
  scope: () => ({}),
  facts: ({ input: { name, to } }) => ({
    view: { fact: 'saved_view' as const, name },
    other: { fact: 'saved_view' as const, name: to },
  }),
  decide: ({ input: { name, to }, actor, now, facts: { view, other } }) => {
    const refused = onlyPeople(actor)
    if (refused !== null) return refused
    if (view === null) return missing(name)
    if (name === to) return accept(view)
    if (other !== null) return refuse('view_exists', `There is already a saved view ${to}.`, { view: to })
    const row: SavedView = { ...view, name: to, updatedAt: now }
    return accept(row, {
      changes: [
        { op: 'delete_saved_view', name },
        { op: 'put_saved_view', row },
      ],
      events: [{ kind: 'view_renamed', taskId: null, data: { from: name, name: to } }],
    })
  },
})

export const deleteView = defineVerb({
  name: 'delete_view',
  input: z.object({ name: line }),
  scope: () => ({}),
  facts: ({ input: { name } }) => ({ view: { fact: 'saved_view' as const, name } }),
  decide: ({ input: { name }, actor, facts: { view } }) =>
    onlyPeople(actor) ??
    (view === null
      ? missing(name)
      : accept(view, {
          changes: [{ op: 'delete_saved_view', name }],
          events: [{ kind: 'view_deleted', taskId: null, data: { name } }],
        })),
})
