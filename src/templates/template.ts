/** A template: a graph of cards with variables, as its file defines it. Each part keeps its place in the file. */

export interface Place {
  readonly line: number
  readonly column: number
}

/** A text of the file. It may contain placeholders such as `{{version}}`. */
export interface PlacedText extends Place {
  readonly text: string
}

/** A setting of a card: a text, or a list of texts. */
export interface Setting extends Place {
  readonly key: string
  readonly value: PlacedText | readonly PlacedText[]
}

export interface TemplateVariable {
  readonly name: string
  readonly description: string | null
  readonly isRequired: boolean
  readonly isList: boolean
  /** Null if the variable has no default. A variable that is not required is then empty. */
  readonly byDefault: string | readonly string[] | null
}

export interface TemplateCard extends Place {
  /** The name of the card within the template. */
  readonly id: PlacedText
  /** The items for each of which there is a card: a list variable by its name, or a list in the file. */
  readonly each: PlacedText | readonly PlacedText[] | null
  readonly parents: readonly PlacedText[]
  readonly settings: readonly Setting[]
}

export interface Template {
  readonly description: string | null
  readonly variables: readonly TemplateVariable[]
  readonly cards: readonly TemplateCard[]
}

/** An error in a file, with its place. */
export interface TemplateFault extends Place {
  readonly message: string
}

export const TEMPLATE_BYTES = 256 * 1024
/** The maximum number of cards that a template creates, after its loops. */
export const TEMPLATE_CARDS = 200
export const TEMPLATE_VARIABLES = 100

/** Formats a fault like a compiler error, so that editors can open its place: `release.yaml:4:7: …`. */
export const templateFaultText = (file: string, { line, column, message }: TemplateFault): string =>
  `${file}:${line}:${column}: ${message}`
