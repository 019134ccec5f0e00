import type { VerbInput } from '../../src/core/transitions/index.ts'

type Shown = VerbInput<'approve_commands'>['shown']

/** Makes the details that a person sees before the approval of the commands of a card in a scratch folder. */
export const shownCommands = (given: Partial<Shown> = {}): Shown => ({
  body: null,
  checks: [],
  assignee: 'coder',
  reviewer: null,
  workspace: { kind: 'scratch', path: null, repo: null },
  agent: given.assignee === undefined ? 'coder' : given.assignee,
  ...given,
})
