export interface Mutation {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** Test files (or folders) that should notice, cheapest first. */
  readonly tests: readonly string[]
  /** The simulator has neither locks nor files of a store: what is wrong with those, or has a second guard, it cannot see. */
  readonly unseenBySimulator?: true
}

export const CORE = ['test/core']
export const STORE = ['test/storage']
export const LANDING = ['test/workspaces/landing.test.ts']
