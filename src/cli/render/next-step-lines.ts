/** Formats the next commands on the page of a card, each with its purpose. */
import type { NextStep } from '../../core/reasons/next-steps.ts'
import type { TaskDetails } from '../../operations/shared/views.ts'
import { oneLine } from '../output/escape.ts'
import { rows } from './page-layout.ts'
import { remedyLine } from './remedy-line.ts'

type Purposes = { readonly [O in NextStep['operation']]: (task: TaskDetails, step: NextStep) => string }

const PURPOSES: Purposes = {
  'agents approve': () => 'approve the agents of the repository',
  answer: () => 'answer, and let the card continue',
  approve: () => 'accept the work',
  'approve-commands': () => 'read and approve the commands',
  assign: () => 'choose an agent',
  'boards set': () => 'choose another default agent',
  'boards unarchive': () => 'bring the board back',
  complete: () => 'finish the card',
  diff: () => 'show the changes',
  edit: (_, { asks: [field], input }) =>
    input['freshWorkspace'] === true ? 'start the card again without its files' : `change its ${field ?? 'fields'}`,
  gc: () => 'delete the workspace that is in the way',
  land: ({ workspace: { baseBranch } }) => `put the changes on ${oneLine(baseBranch ?? 'a branch')}`,
  log: ({ status }) => (status === 'running' ? 'show what the agent does' : 'show what the agent did'),
  pick: () => 'choose the winner',
  promote: (_, { input }) =>
    input['force'] === true ? 'start the card now, without its unfinished parents' : 'let the card start now',
  reclaim: () => 'end the run and give the card back',
  release: () => 'end the hold',
  reopen: () => 'work on the card again',
  'request-changes': () => 'send the card back with your comments',
  resume: () => 'end the pause',
  stop: () => 'cancel the run',
  unarchive: () => 'bring the card back to the board',
  unblock: (_, { asks }) =>
    asks.includes('reason') ? 'let the card continue, with an instruction' : 'let the card start again',
  undelete: () => 'take the card out of the trash',
  up: () => 'run cards',
}

export const nextStepLines = (task: TaskDetails, steps: readonly NextStep[], width: number): readonly string[] =>
  rows(
    steps.map((step) => ({ name: oneLine(remedyLine(step)), text: PURPOSES[step.operation](task, step) })),
    width,
  )
