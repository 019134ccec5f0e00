/** The flags of `create`, `edit` and `list` for fields of a card. They are made from the table of card fields. */
import { CREATE_FIELDS, EDIT_FIELDS, EMPTY_FIELDS, FILTER_FIELDS, cardField } from '../core/card-fields.ts'
import type { CardField } from '../core/card-field.ts'
import type { CardFieldName } from '../core/card-fields.ts'
import type { Flag } from './command.ts'
import * as flag from './flags.ts'
import { workspace } from './places.ts'

type Flags = Readonly<Record<string, Flag<unknown>>>
type FieldFlag = NonNullable<CardField['flag']>

const flagNameOf = (name: CardFieldName): string => cardField(name).flag?.name ?? name

const listFlag = ({ words }: CardField, value?: string, describe?: string): Flag<unknown> =>
  flag.each(words === undefined ? flag.text(value, describe) : flag.spelled(words, value, describe))

function flagOf(field: CardField, { kind, value, min, describe }: FieldFlag): Flag<unknown> {
  switch (kind) {
    case 'text':
      return flag.text(value, describe)
    case 'long_text':
      return flag.longText(describe)
    case 'whole':
      return flag.whole(min === undefined ? {} : { min }, describe)
    case 'duration':
      return flag.duration(describe)
    case 'agent':
      return flag.agent(describe)
    case 'agent_or_none':
      return flag.agentOrNone(describe)
    case 'list':
      return listFlag(field, value, describe)
    case 'skills':
      return flag.skills(describe)
    case 'moment':
      return flag.laterMoment(describe)
    case 'toggle':
      return flag.toggle(describe)
    case 'workspace':
      return workspace(describe)
  }
}

/** Makes the flags of some fields of a card. A field without a flag is an argument of the command. */
const flagsOf = (
  names: readonly CardFieldName[],
  change: (made: Flag<unknown>, name: CardFieldName) => Flag<unknown>,
) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const field = cardField(name)
      const declared = field.flag
      if (declared === undefined) return []
      const made = { ...flagOf(field, declared), brief: declared.brief }
      return [[flagNameOf(name), change(declared.name === undefined ? made : flag.filling(name, made), name)]]
    }),
  ) satisfies Flags

export const createFlags: Flags = flagsOf(CREATE_FIELDS, (made) => made)

/** The flags of `edit`. The value `none` clears a list, or any other field that may be empty. */
export const editFlags: Flags = flagsOf(EDIT_FIELDS, (made, name) => {
  const { empty, flag: declared } = cardField(name)
  if (declared?.kind === 'list') return flag.listOrNone(made)
  return empty === null && declared?.kind !== 'skills' && declared?.kind !== 'agent_or_none' ? flag.orNone(made) : made
})

function filterFlag(field: CardField, describe: string | undefined): Flag<unknown> {
  if (field.filter?.by === 'has') return listFlag(field, field.flag?.value, describe)
  if (field.flag?.kind === 'agent_or_none') return flag.agentOrNone(describe)
  return flag.line(field.flag?.value, describe)
}

/** The flags of `list`. The flag of a list field selects the cards that have all values that the user gave. */
export const filterFlags: Flags = Object.fromEntries(
  FILTER_FIELDS.map((name) => {
    const field = cardField(name)
    const describe = field.filter?.describe.replace('null: unassigned cards', 'none: unassigned cards')
    const made = flag.withBrief(field.filter?.brief ?? name, filterFlag(field, describe))
    return [flagNameOf(name), flagNameOf(name) === name ? made : flag.filling(name, made)]
  }),
)

/** The values that the user gave, by field. */
export const givenFields = (
  names: readonly CardFieldName[],
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = given[flagNameOf(name)]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The fields of a new card. A field that the user did not give gets its empty value. */
export const newCardFields = (given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(CREATE_FIELDS.map((name) => [name, EMPTY_FIELDS[name]])),
  ...givenFields(CREATE_FIELDS, given),
})
