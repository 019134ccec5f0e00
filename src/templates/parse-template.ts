/**
 * Parses a template file. Every error has a line and a column. YAML aliases are refused, so a small file cannot expand
 * into a large one.
 */
import type * as yamlModule from 'yaml'
import type { Pair, ParsedNode } from 'yaml'
import { nearest } from '../util/nearest.ts'
import { SETTINGS, isListSetting } from './template-fields.ts'
import { TEMPLATE_BYTES, TEMPLATE_CARDS, TEMPLATE_VARIABLES } from './template.ts'
import type { Place, PlacedText, Setting, Template, TemplateCard, TemplateFault, TemplateVariable } from './template.ts'

/** The caller passes the YAML parser, so it is loaded only by callers that read templates. */
type Yaml = Pick<typeof yamlModule, 'parseDocument' | 'LineCounter' | 'isMap' | 'isScalar' | 'isSeq' | 'isAlias'>

const NAME = /^[a-z][a-zA-Z0-9_-]{0,63}$/
const START: Place = { line: 1, column: 1 }
/** YAML reads a brace at the beginning of a value, or inside a list in brackets, as a map. */
const QUOTE_HINT = '. Write a text with {{…}} in quotation marks'

/** Returns the template, or all errors in the order of the file. */
export function parseTemplate(text: string, yaml: Yaml): Template | readonly TemplateFault[] {
  if (Buffer.byteLength(text) > TEMPLATE_BYTES)
    return [{ ...START, message: `a template has at most ${TEMPLATE_BYTES / 1024} KB` }]
  const reader = new TemplateReader(yaml)
  const template = reader.read(text)
  const faults = reader.faults.toSorted((a, b) => a.line - b.line || a.column - b.column)
  return template === null || faults.length > 0 ? faults : template
}

type Node = ParsedNode | null
type Entries = ReadonlyMap<string, { readonly at: Place; readonly value: Node }>

class TemplateReader {
  readonly faults: TemplateFault[] = []
  readonly #yaml: Yaml
  readonly #lines: InstanceType<Yaml['LineCounter']>

  constructor(yaml: Yaml) {
    this.#yaml = yaml
    this.#lines = new yaml.LineCounter()
  }

  read(text: string): Template | null {
    const root = this.#parse(text)
    if (root === undefined) return null
    const entries = this.#map(root, START, ['description', 'variables', 'cards'])
    if (entries === null) return null
    const description = this.#optionalText(entries, 'description')
    const variables = this.#variables(entries.get('variables'))
    const cards = this.#cards(entries.get('cards'))
    this.#requireVariables(variables, cards)
    return { description, variables, cards }
  }

  #parse(text: string): Node | undefined {
    try {
      // YAML's failsafe schema knows only texts, lists and maps. So a value such as 1.10 stays text.
      const document = this.#yaml.parseDocument(text, { lineCounter: this.#lines, schema: 'failsafe' })
      for (const { message, pos } of document.errors.slice(0, 1)) {
        const at = this.#placeAt(pos[0])
        const [what = ''] = message.split('\n')
        const line = text.split('\n')[at.line - 1] ?? ''
        this.#fault(at, `invalid YAML: ${what.replace(/ at line \d+.*$/, '')}${line.includes('{{') ? QUOTE_HINT : ''}`)
      }
      return document.errors.length > 0 ? undefined : document.contents
    } catch {
      this.#fault(START, 'it is nested too deeply')
      return undefined
    }
  }

  #fault(at: Place, message: string): void {
    this.faults.push({ line: at.line, column: at.column, message })
  }

  #placeAt(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset)
    return { line, column: col }
  }

  #place = (node: Node, fallback: Place): Place => (node === null ? fallback : this.#placeAt(node.range[0]))

  /** Reads the entries of a map and refuses unknown keys. Null means that the node is not a map. */
  #map(node: Node, fallback: Place, known: readonly string[]): Entries | null {
    const { isMap, isScalar } = this.#yaml
    if (node === null || !isMap(node)) {
      this.#fault(this.#place(node, fallback), `write "key: value" lines here: ${known.join(', ')}`)
      return null
    }
    const entries = new Map<string, { readonly at: Place; readonly value: Node }>()
    // The cast is safe, because the parser has created the pairs of this map.
    for (const { key, value } of node.items as readonly Pair<ParsedNode, Node>[]) {
      const at = this.#place(key, fallback)
      const name = isScalar(key) && typeof key.value === 'string' ? key.value : ''
      if (known.includes(name)) entries.set(name, { at, value })
      else this.#fault(at, `unknown key ${name}${suggestion(name, known)}`)
    }
    return entries
  }

  /** Reads a scalar as text. A missing value becomes an empty text. */
  #text(node: Node, fallback: Place, key: string): PlacedText {
    const at = this.#place(node, fallback)
    if (node === null) return { ...at, text: '' }
    // With the failsafe schema, every scalar is a text.
    if (this.#yaml.isScalar(node)) return { ...at, text: typeof node.value === 'string' ? node.value : '' }
    const hint = this.#yaml.isMap(node) ? QUOTE_HINT : ''
    this.#fault(at, this.#yaml.isAlias(node) ? `${key}: aliases are not supported` : `${key} must be a text${hint}`)
    return { ...at, text: '' }
  }

  /** Reads a list of texts. A single text becomes a list with one item. */
  #texts(node: Node, fallback: Place, key: string): readonly PlacedText[] {
    if (node === null) return []
    if (!this.#yaml.isSeq(node)) return [this.#text(node, fallback, key)]
    // The cast is safe, because the parser has created the items of this list.
    return (node.items as readonly Node[]).map((item) => this.#text(item, this.#place(node, fallback), key))
  }

  #optionalText(entries: Entries, key: string): string | null {
    const entry = entries.get(key)
    return entry === undefined ? null : this.#text(entry.value, entry.at, key).text || null
  }

  #variables(entry: { readonly at: Place; readonly value: Node } | undefined): readonly TemplateVariable[] {
    if (entry === undefined || entry.value === null) return []
    const { isMap, isScalar } = this.#yaml
    const { value } = entry
    if (!isMap(value)) {
      this.#fault(this.#place(value, entry.at), 'variables: write the name of each variable, then its settings')
      return []
    }
    const pairs = value.items as readonly Pair<ParsedNode, Node>[]
    if (pairs.length > TEMPLATE_VARIABLES)
      this.#fault(entry.at, `a template has at most ${TEMPLATE_VARIABLES} variables`)
    return pairs.slice(0, TEMPLATE_VARIABLES).flatMap(({ key, value: settings }) => {
      const at = this.#place(key, entry.at)
      const name = isScalar(key) && typeof key.value === 'string' ? key.value : ''
      if (!NAME.test(name) || name === ITEM) {
        this.#fault(
          at,
          `${name} cannot be the name of a variable: begin with a small letter, then letters, digits, - or _`,
        )
        return []
      }
      return this.#variable(name, settings, at)
    })
  }

  /** Reads a variable: its default value alone, or a map of settings. */
  #variable(name: string, node: Node, at: Place): readonly TemplateVariable[] {
    const { isMap, isSeq } = this.#yaml
    if (node === null) return [{ name, description: null, isRequired: true, isList: false, byDefault: null }]
    if (!isMap(node)) return [{ name, description: null, isRequired: false, ...this.#default(node, at) }]
    const entries = this.#map(node, at, ['description', 'required', 'default', 'list'])
    if (entries === null) return []
    const given = entries.get('default')
    const { byDefault } = given === undefined ? { byDefault: null } : this.#default(given.value, given.at)
    const isRequired = this.#flag(entries, 'required') ?? byDefault === null
    const isList = this.#flag(entries, 'list') ?? (given !== undefined && isSeq(given.value))
    if (isRequired && byDefault !== null) this.#fault(at, `${name} is required, so it takes no default`)
    if (!isList && Array.isArray(byDefault)) this.#fault(at, `${name} is not a list, so its default must be a text`)
    const listed = isList && typeof byDefault === 'string' ? [byDefault] : byDefault
    return [{ name, description: this.#optionalText(entries, 'description'), isRequired, isList, byDefault: listed }]
  }

  #default(node: Node, at: Place): Pick<TemplateVariable, 'isList' | 'byDefault'> {
    return node !== null && this.#yaml.isSeq(node)
      ? { isList: true, byDefault: this.#texts(node, at, 'default').map(({ text }) => text) }
      : { isList: false, byDefault: this.#text(node, at, 'default').text }
  }

  #flag(entries: Entries, key: string): boolean | null {
    const entry = entries.get(key)
    if (entry === undefined) return null
    const { text, ...at } = this.#text(entry.value, entry.at, key)
    if (text !== 'true' && text !== 'false') this.#fault(at, `${key} must be true or false`)
    return text === 'true'
  }

  #cards(entry: { readonly at: Place; readonly value: Node } | undefined): readonly TemplateCard[] {
    const node = entry?.value ?? null
    if (node === null || !this.#yaml.isSeq(node) || node.items.length === 0) {
      this.#fault(this.#place(node, entry?.at ?? START), 'cards: list at least one card, each with id and title')
      return []
    }
    const at = entry?.at ?? START
    if (node.items.length > TEMPLATE_CARDS) this.#fault(at, `a template has at most ${TEMPLATE_CARDS} cards`)
    const cards = (node.items as readonly Node[]).slice(0, TEMPLATE_CARDS).flatMap((item) => this.#card(item, at))
    const names = new Set<string>()
    for (const { id } of cards) {
      if (names.has(id.text)) this.#fault(id, `there is another card with the id ${id.text}`)
      names.add(id.text)
    }
    this.#requireParents(cards, names)
    return cards
  }

  #card(node: Node, fallback: Place): readonly TemplateCard[] {
    const at = this.#place(node, fallback)
    const entries = this.#map(node, fallback, CARD_KEYS)
    if (entries === null) return []
    const id = entries.get('id')
    if (id === undefined || !entries.has('title')) {
      this.#fault(at, `a card needs ${id === undefined ? 'an id' : 'a title'}`)
      return []
    }
    const name = this.#text(id.value, id.at, 'id')
    if (!NAME.test(name.text))
      this.#fault(name, `${name.text} cannot be an id: begin with a small letter, then letters, digits, - or _`)
    const each = entries.get('each')
    const parents = entries.get('parents')
    return [
      {
        ...at,
        id: name,
        each: each === undefined ? null : this.#each(each.value, each.at),
        parents: parents === undefined ? [] : this.#texts(parents.value, parents.at, 'parents'),
        settings: [...entries].flatMap(([key, { at: place, value }]): Setting[] =>
          SETTINGS.has(key) ? [{ ...place, key, value: this.#setting(key, value, place) }] : [],
        ),
      },
    ]
  }

  #setting = (key: string, node: Node, at: Place): Setting['value'] =>
    isListSetting(key) ? this.#texts(node, at, key) : this.#text(node, at, key)

  #each(node: Node, at: Place): TemplateCard['each'] {
    return node !== null && this.#yaml.isSeq(node) ? this.#texts(node, at, 'each') : this.#text(node, at, 'each')
  }

  #requireParents(cards: readonly TemplateCard[], names: ReadonlySet<string>): void {
    for (const parent of cards.flatMap(({ parents }) => parents)) {
      const [name = ''] = parent.text.split('/')
      if (!names.has(name))
        this.#fault(parent, `there is no card ${name} in this template${suggestion(name, [...names])}`)
    }
  }

  /** Refuses placeholders and loops that use a variable which the template does not define. */
  #requireVariables(variables: readonly TemplateVariable[], cards: readonly TemplateCard[]): void {
    const known = variables.map(({ name }) => name)
    for (const card of cards) {
      const { each, parents, settings } = card
      const inLoop = each === null ? known : [...known, ITEM]
      const texts = [...parents, ...settings.flatMap(({ value }) => value)]
      for (const text of texts)
        for (const name of placeholdersIn(text.text))
          if (!inLoop.includes(name)) this.#fault(text, `there is no variable ${name}${suggestion(name, inLoop)}`)
      if (each === null || Array.isArray(each)) continue
      // The cast is safe, because `each` is not a list.
      const { text, ...at } = each as PlacedText
      const listed = variables.find(({ name }) => name === text)
      if (listed === undefined) this.#fault(at, `each: there is no variable ${text}${suggestion(text, known)}`)
      else if (!listed.isList) this.#fault(at, `each: ${text} is not a list. Give it a list as default, or list: true`)
    }
  }
}

/** The name of the placeholder for the item of a loop. */
export const ITEM = 'item'
const CARD_KEYS = ['id', 'each', 'parents', ...SETTINGS.keys()]
/** Other texts between braces, such as `{{.Names}}` or `${{ matrix.os }}`, are not placeholders. */
export const PLACEHOLDER = /\{\{ ?([a-z][a-zA-Z0-9_-]{0,63}) ?\}\}/g

const placeholdersIn = (text: string): readonly string[] => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)

function suggestion(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant === null ? '' : `. Did you mean ${meant}?`
}
