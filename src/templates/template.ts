/** The content of a template file: a graph of cards with variables. Each part keeps its position in the file. */

export interface Place {
  readonly line: number
  readonly column: number
}

/** A text from the file. It may contain placeholders such as `{{version}}`. */
export interface PlacedText extends Place {
  readonly text: string
}

/** A setting of a card: one text, or a list of texts. */
export interface Setting extends Place {
  readonly key: string
  readonly value: PlacedText | readonly PlacedText[]
}

export interface TemplateVariable {
  readonly name: string
  readonly description: string | null
  readonly isRequired: boolean
  readonly isList: boolean
  /** The default value. Null means that there is none; an optional variable is then empty. */
  readonly byDefault: string | readonly string[] | null
}

export interface TemplateCard extends Place {
  /** The name of the card in the template. */
  readonly id: PlacedText
  /**
   * A card with a loop is created once for each item. The items are a list variable, given by its name, or a list in
   * the file.
   */
  readonly each: PlacedText | readonly PlacedText[] | null
  readonly parents: readonly PlacedText[]
  readonly settings: readonly Setting[]
}

export interface Template {
  readonly description: string | null
  readonly variables: readonly TemplateVariable[]
  readonly cards: readonly TemplateCard[]
}

/** An error in a file, with its position. */
export interface TemplateFault extends Place {
  readonly message: string
}

export const TEMPLATE_BYTES = 256 * 1024
/** The maximum number of cards that a template creates, including the cards of its loops. */
export const TEMPLATE_CARDS = 200
export const TEMPLATE_VARIABLES = 100

/** Formats an error like a compiler does, so that editors can open its position: `release.yaml:4:7: …`. */
export const templateFaultText = (file: string, { line, column, message }: TemplateFault): string =>
  `${file}:${line}:${column}: ${message}`
