import type * as z from 'zod'
import type { Values } from './input/card-values.ts'
import type { ShortWords } from './short-words.ts'

/** How a column stores a value: `boolean` as 0 or 1, `json` as text, `plain` unchanged. */
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
  /** How the value is stored. A field with several parts has one entry for each part. */
  readonly column: Codec | Readonly<Record<string, Codec>>
  readonly given: (schemas: Values) => z.ZodType
  /** The schema of the value in an edit, if an edit may change parts of the value. */
  readonly edited?: (schemas: Values) => z.ZodType
  /** The schema of the stored value, if it differs from the schema of the input. */
  readonly stored?: (schemas: Values) => z.ZodType
  /**
   * The value in a new card if the caller gives no value. If `empty` is null, the field may be null. A field without
   * `empty` always needs a value.
   */
  readonly empty?: unknown
  /** Whether the commands `create` and `edit` accept the field. */
  readonly create?: true
  readonly edit?: true
  /** The meaning of the field for a caller of `create` or `edit`. */
  readonly describe?: string
  /** The rule for each word of a list of short words. The schema of the field applies the same rule. */
  readonly words?: ShortWords
  /**
   * The flag of the command line. `brief` is the line in the help. `name` is set if the flag has another name than the
   * field.
   */
  readonly flag?: {
    readonly kind: FlagKind
    readonly brief: string
    readonly name?: string
    readonly value?: string
    readonly min?: number
    readonly describe?: string
  }
  /**
   * Whether `list` can filter cards by the field. `equal` compares the whole value; `has` looks for the value in the
   * card's list. `brief` is for the help of the command line, which has little space.
   */
  readonly filter?: { readonly by: 'equal' | 'has'; readonly describe: string; readonly brief: string }
  /**
   * The description of the argument in `kanban_create` and `kanban_list`. Without a description here, the tool shows
   * `describe`.
   */
  readonly tool?: { readonly create?: string; readonly list?: string }
  /** The tools that show the field to agents: both `kanban_list` and `kanban_show`, or only `kanban_show`. */
  readonly agents?: 'list' | 'show'
  /** The label of the field's line in the briefing. */
  readonly briefing?: string
  /** The sign that `list` prints before each value of the field, after the title. */
  readonly afterTitle?: string
  /** Whether `muster show` prints the field without formatting it. */
  readonly fact?: true
  /** Whether `list` omits the field, because its value may be a megabyte long. */
  readonly detail?: true
}
