/** A card as the store keeps it. The fields are declared in card-fields.ts. */
import * as z from 'zod'
import { CARD_FIELD_NAMES, cardField } from './card-fields.ts'
import type { CardFieldName, StoredSchema } from './card-fields.ts'
import { VALUES } from './input/card-values.ts'

type TaskShape = { readonly [K in CardFieldName]: StoredSchema<K> }

/**
 * One unit of work. Values such as the reason of a block or the number of unfinished parents are stored in the row and
 * never computed from the event log.
 */
export const taskSchema = z.object(
  // `Object.fromEntries` loses the names of the fields. The cast restores them.
  Object.fromEntries(CARD_FIELD_NAMES.map((name) => [name, storedSchema(name)])) as TaskShape,
)

export type Task = z.infer<typeof taskSchema>
export type TaskPatch = Partial<
  Omit<Task, 'board' | 'id' | 'createdAt' | 'openParents' | 'dueAt' | 'rank' | 'updatedAt'>
>

export type Workspace = Task['workspace']
export type Landed = NonNullable<Task['landed']>

function storedSchema(name: CardFieldName): z.ZodType {
  const { given, stored = given, empty } = cardField(name)
  const schema = stored(VALUES)
  return empty === null ? schema.nullable() : schema
}
