/** The section of the briefing that explains how the agent reports its result. */
import { GUIDANCE } from './guidance.ts'
import type { BriefingInput } from './briefing-input.ts'
import { PATH_MAX } from './caps.ts'
import { inline } from './quoted.ts'
import { isVerifier } from '../swarm.ts'
import { runRole } from '../vocabulary.ts'

export function howToEnd(input: BriefingInput): string {
  const { checks } = input.task
  const listed =
    checks.length === 0
      ? []
      : [
          'The board runs these checks before the card is done:',
          '',
          ...checks.map((check) => `- ${inline(check, PATH_MAX)}`),
          '',
        ]
  const instructions = input.onExit === 'complete' ? byExitStatus(input) : [GUIDANCE[guidanceRole(input)]]
  return ['## How to end', '', ...listed, ...instructions].join('\n')
}

const guidanceRole = ({ role, isOrchestrator = false, task }: BriefingInput): keyof typeof GUIDANCE =>
  isOrchestrator ? (role === 'review' ? 'reviewer' : 'orchestrator') : runRole(role, task)

const byExitStatus = ({ role, task }: BriefingInput): readonly string[] =>
  role === 'work' && isVerifier(task)
    ? [
        'Approve the work of the workers with `kanban_complete`, or request changes with `kanban_request_changes`.',
        'Exit status 0 without a verdict approves it too. Any other status is a failure, except 75: a quota is used up.',
      ]
    : role === 'review'
      ? [
          'You review finished work: read it, try it, and judge it against the body. Do not redo it.',
          'Approve with `kanban_complete`, or list what is missing with `kanban_request_changes`.',
          'Exit status 0 without a verdict approves it too, with the end of your output as the summary. Any other status is',
          'a failed review, which is retried, not a rejection; 75 means that a quota is used up.',
        ]
      : [
          'Exit with status 0 when the work is done: the end of your output becomes the summary. Any other status is a',
          'failure, except 75: a quota is used up, and the card is retried later.',
        ]
