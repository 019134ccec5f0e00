/** Creates the cards of a template: repeats looped cards and fills in variables. */
import { CARDS_MAX } from '../core/input/card-input.ts'
import { nearest } from '../util/nearest.ts'
import { ITEM, PLACEHOLDER } from './parse-template.ts'
import { SETTINGS, readSetting } from './template-fields.ts'
import { TEMPLATE_CARDS } from './template.ts'
import type { Place, PlacedText, Template, TemplateCard, TemplateFault } from './template.ts'

export type GivenValues = Readonly<Record<string, string | readonly string[]>>

export interface ExpandedCard extends Place {
  /** The name of the card in the template. A looped card also has the name of its item: `test/core`. */
  readonly name: string
  /** The names of the card's parents in the template. */
  readonly parents: readonly string[]
  /** The fields of the new card, before the card schema checks them. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The position of each field in the file. */
  readonly places: Readonly<Record<string, Place>>
}

/**
 * The maximum length of all texts of a template together. Without it, a small file with long values could fill the
 * store.
 */
const TEXT_MAX = 4_000_000
const VALUE_MAX = 100_000

/** Returns the cards, or the errors in the file and in the values. */
export function expandTemplate(
  template: Template,
  given: GivenValues,
  now: number,
):
  | { readonly cards: readonly ExpandedCard[] }
  | { readonly faults: readonly TemplateFault[] }
  | { readonly refused: string } {
  const values = valuesOf(template, given)
  if ('refused' in values) return values
  const faults: TemplateFault[] = []
  const cards = template.cards.flatMap((card) =>
    itemsOf(card, values.all).map((item) => expandCard(card, { item, values: values.all, now, faults })),
  )
  if (cards.length > Math.min(TEMPLATE_CARDS, CARDS_MAX))
    return { refused: `The template makes ${cards.length} cards. The maximum is ${TEMPLATE_CARDS}.` }
  const length = cards.reduce((sum, { fields }) => sum + JSON.stringify(fields).length, 0)
  if (length > TEXT_MAX) return { refused: 'The cards of the template are too long: shorten its values.' }
  const all = cards.map(({ name }) => name)
  const repeated = cards.find(({ name }, at) => all.indexOf(name) !== at)
  if (repeated !== undefined)
    faults.push({ line: repeated.line, column: repeated.column, message: `there are two cards ${repeated.name}` })
  const linked = cards.map((card) => ({ ...card, parents: linkedTo(card, all, faults) }))
  return faults.length > 0 ? { faults } : { cards: linked }
}

type Values = ReadonlyMap<string, string | readonly string[]>

/** Returns the value of each variable. The caller may write a list as text with commas. */
function valuesOf(
  { variables }: Template,
  given: GivenValues,
): { readonly all: Values } | { readonly refused: string } {
  const known = variables.map(({ name }) => name)
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) {
      const meant = nearest(name, known)
      const hint = meant !== null ? ` Did you mean ${meant}?` : known.length === 0 ? '' : ` It has ${known.join(', ')}.`
      return { refused: `The template has no variable ${name}.${hint}` }
    }
    if (String(value).length > VALUE_MAX)
      return { refused: `The value of ${name} is longer than ${VALUE_MAX} characters: shorten it.` }
  }
  const missing = variables.filter(({ name, isRequired }) => isRequired && isEmpty(given[name]))
  if (missing.length > 0) {
    const flags = missing.map(({ name }) => `--set ${name}=…`).join(' ')
    const told = missing.map(({ name, description }) => (description === null ? name : `${name} (${description})`))
    return { refused: `The template needs ${told.join(', ')}. Add: ${flags}` }
  }
  const all = variables.map(({ name, isList, byDefault }): [string, string | readonly string[]] => {
    const value = given[name] ?? byDefault ?? (isList ? [] : '')
    return [name, isList ? listOf(value) : typeof value === 'string' ? value : value.join(', ')]
  })
  return { all: new Map(all) }
}

const isEmpty = (value: string | readonly string[] | undefined): boolean => value === undefined || value.length === 0

const listOf = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
    : value

/** Returns the items of a loop. A card without a loop gets one item without a name. */
function itemsOf({ each }: TemplateCard, values: Values): readonly (string | null)[] {
  if (each === null) return [null]
  if (!('text' in each)) return [...new Set(each.map(({ text }) => text))]
  const value = values.get(each.text) ?? []
  return [...new Set(typeof value === 'string' ? [value] : value)]
}

interface Expansion {
  readonly item: string | null
  readonly values: Values
  readonly now: number
  readonly faults: TemplateFault[]
}

function expandCard({ id, parents, settings, line, column }: TemplateCard, expansion: Expansion): ExpandedCard {
  const { item, now, faults } = expansion
  const fill = ({ text }: PlacedText): string => filled(text, expansion)
  const fields: Record<string, unknown> = {}
  const places: Record<string, Place> = {}
  for (const { key, value, ...at } of settings) {
    const setting = SETTINGS.get(key)
    if (setting === undefined) continue
    const { field, kind } = setting
    places[field] = 'text' in value ? value : at
    if (!('text' in value)) {
      fields[field] = value.map(fill)
      continue
    }
    const text = fill(value)
    // An empty text means that the field is not set.
    if (text.trim() === '' && field !== 'title') continue
    const read = readSetting(kind, text, now)
    if ('fault' in read) faults.push({ line: value.line, column: value.column, message: `${key} ${read.fault}` })
    else fields[field] = read.value
  }
  return {
    line,
    column,
    name: item === null ? id.text : `${id.text}/${item}`,
    parents: parents.map(fill),
    fields,
    places,
  }
}

/** Replaces the placeholders once. A placeholder inside a value is not replaced. */
const filled = (text: string, { item, values }: Expansion): string =>
  text.replace(PLACEHOLDER, (whole, name: string) => {
    if (name === ITEM && item !== null) return item
    const value = values.get(name)
    return value === undefined ? whole : typeof value === 'string' ? value : value.join(', ')
  })

/** Returns the parents of a card. The id of a looped card means all of its cards; `id/item` means one of them. */
function linkedTo(
  { parents, line, column }: ExpandedCard,
  all: readonly string[],
  faults: TemplateFault[],
): readonly string[] {
  return [
    ...new Set(
      parents.flatMap((parent) => {
        if (all.includes(parent)) return [parent]
        const [id, ...rest] = parent.split('/')
        if (rest.length > 0) faults.push({ line, column, message: `there is no card ${parent} in this template` })
        // A loop without items creates no cards, so there is nothing to wait for.
        return rest.length > 0 ? [] : all.filter((name) => name.startsWith(`${id}/`))
      }),
    ),
  ]
}
