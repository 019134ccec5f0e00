/** The properties that `card-fields.ts` declares for a field. */
import type * as z from 'zod'
import type { Values } from './input/card-values.ts'
import type { ShortWords } from './short-words.ts'

/** `boolean` is stored as 0 or 1, `json` as text. */
export type Codec = 'plain' | 'boolean' | 'json'

/** How the command line reads the value of a flag. */
type FlagKind =
  | 'text'
  | 'long_text'
  | 'whole'
  | 'duration'
  | 'agent'
  | 'agent_or_none'
  | 'list'
  | 'skills'
  | 'moment'
  | 'toggle'
  | 'workspace'

export interface CardField {
  /** How the value is stored; for a field with several parts, how each part is stored. */
  readonly column: Codec | Readonly<Record<string, Codec>>
  /** The schema of the value in a caller's input. */
  readonly given: (schemas: Values) => z.ZodType
  /** The schema of the value in the store, if it differs. */
  readonly stored?: (schemas: Values) => z.ZodType
  /**
   * The value in a new card if the caller gives none. If it is null, the field may be null. A field without this
   * property always needs a value.
   */
  readonly empty?: unknown
  /** Whether `create` and `edit` take the field. */
  readonly create?: true
  readonly edit?: true
  /** The meaning of the field for a caller of `create` or `edit`. */
  readonly describe?: string
  /** For a list of short words: the rule for each word. The schema of the field applies the same rule. */
  readonly words?: ShortWords
  /** The flag of the command line. `brief` is its line in help. `name` is set if it differs from the field. */
  readonly flag?: {
    readonly kind: FlagKind
    readonly brief: string
    readonly name?: string
    readonly value?: string
    readonly min?: number
    readonly describe?: string
  }
  /**
   * Whether `list` can filter by the field. `equal` compares the whole value; `has` looks for the value in the card's
   * list.
   */
  readonly filter?: { readonly by: 'equal' | 'has'; readonly describe: string }
  /** Descriptions of the arguments of `kanban_create` and `kanban_list`. If one is empty, the tool shows `describe`. */
  readonly tool?: { readonly create?: string; readonly list?: string }
  /** Where agents see the field: in `kanban_list` and `kanban_show`, or only in `kanban_show`. */
  readonly agents?: 'list' | 'show'
  /** The label of the field's line in the briefing. */
  readonly briefing?: string
  /** `list` prints each value after the title, with this sign before it. */
  readonly afterTitle?: string
  /** Whether `muster show` prints the field as it is. */
  readonly fact?: true
  /** Whether lists omit the field, because its value may be a megabyte long. */
  readonly detail?: true
}
