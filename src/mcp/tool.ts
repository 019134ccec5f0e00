/** A tool of the board, as agents see it: a projection of one operation. */

/**
 * Who holds the tools. A worker has one card; a reviewer judges one; an orchestrator is an agent that may use the whole
 * board; an assistant is the one a person talks to, outside any run.
 */
export const ROLES = ['worker', 'reviewer', 'orchestrator', 'assistant'] as const
export type Role = (typeof ROLES)[number]

/** As JSON Schema has it; only what our tools use. */
export interface JsonSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'
  readonly enum?: readonly string[]
  readonly items?: JsonSchema
  readonly minimum?: number
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** What its description says of an argument; the rest its operation's input says, unless it has a schema of its own. */
type Argument = string | (JsonSchema & { readonly description: string })

export interface Tool {
  readonly name: `kanban_${string}`
  /** The operation that it projects. */
  readonly operation: string
  readonly description: string
  readonly roles: readonly Role[]
  /** Whose card it is about: the caller's own one unless another is named; always a named one; none. */
  readonly about: 'own' | 'any' | 'named' | 'board'
  readonly arguments: Readonly<Record<string, Argument>>
  readonly required?: readonly string[]
  /** Names of arguments that do not work yet: they are refused and not listed. */
  readonly notYet?: readonly string[]
  readonly changesNothing?: true
  /** The operation's input, where it is not what was given. */
  readonly toInput?: (given: Arguments) => Arguments
  /** What the caller is told of the answer: small, and enough to go on with. */
  readonly toResult: (answer: never, given: Arguments) => object
}

/** What is known of a tool without loading what it does. */
export interface ToolEntry {
  readonly description: string
  readonly roles: readonly Role[]
  readonly about: Tool['about']
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
  readonly changesNothing: boolean
}

export type Arguments = Readonly<Record<string, unknown>>

export const defineTool = <Answer>(
  tool: Omit<Tool, 'toResult'> & { readonly toResult: (answer: Answer, given: Arguments) => object },
): Tool => tool
