export interface Mutation {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** Test files or folders, fastest first. At least one of them must fail. */
  readonly tests: readonly string[]
  /**
   * Set if the simulator cannot find the bug: it has no locks and no store files, or a second guard prevents the
   * effect.
   */
  readonly unseenBySimulator?: true
}

export const CORE = ['test/core']
export const STORE = ['test/storage']
export const LANDING = ['test/workspaces/landing.test.ts']
