/** A tool of the board: one operation in the form in which agents see it. */

/**
 * The roles of callers. A worker works on one card, a reviewer reviews one card, a member works on a card of a swarm, a
 * verifier judges the work of its swarm, an orchestrator is an agent for the whole
 * board, and an assistant belongs to a person and is outside any run.
 */
export const ROLES = ['worker', 'reviewer', 'member', 'verifier', 'orchestrator', 'assistant'] as const
export type Role = (typeof ROLES)[number]

/** The part of JSON Schema that Muster's tools use. */
export interface JsonSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'
  readonly enum?: readonly string[]
  readonly items?: JsonSchema
  readonly minimum?: number
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** The description of an argument, which is added to the operation's schema, or a whole schema. */
type Argument = string | (JsonSchema & { readonly description: string })

export interface Tool {
  readonly name: `kanban_${string}`
  readonly operation: string
  readonly description: string
  readonly roles: readonly Role[]
  /**
   * The card that the tool uses. `own` is the caller's card. `any` is a given card, by default the caller's card.
   * `named` must be given, and `board` needs no card.
   */
  readonly about: 'own' | 'any' | 'named' | 'board'
  readonly arguments: Readonly<Record<string, Argument>>
  readonly required?: readonly string[]
  readonly changesNothing?: true
  /** Converts the arguments into the operation's input. */
  readonly toInput?: (given: Arguments) => Arguments
  /** Reduces the operation's answer to what the model needs. */
  readonly toResult: (answer: never, given: Arguments) => object
}

/** The description of a tool for a list, without the tool's code. */
export interface ToolEntry {
  readonly description: string
  readonly roles: readonly Role[]
  readonly about: Tool['about']
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
  readonly changesNothing: boolean
}

/** The requests that the shim sends to its supervisor, in addition to operations. */
export const TOOL_REQUESTS = { role: 'role', call: 'tool', resources: 'resources', resource: 'resource' } as const

export type Arguments = Readonly<Record<string, unknown>>

export const defineTool = <Answer>(
  tool: Omit<Tool, 'toResult'> & { readonly toResult: (answer: Answer, given: Arguments) => object },
): Tool => tool
