/** How whoever reads it says how it went. */
import { GUIDANCE } from './guidance.ts'
import type { BriefingInput } from './briefing-input.ts'
import { PATH_MAX } from './caps.ts'
import { inline } from './quoted.ts'

export function howToEnd(input: BriefingInput): string {
  const { checks } = input.task
  const listed =
    checks.length === 0
      ? []
      : [
          'The board runs these checks itself before the card is done:',
          '',
          ...checks.map((check) => `- ${inline(check, PATH_MAX)}`),
          '',
        ]
  const words = input.onExit === 'complete' ? byExitStatus(input) : [GUIDANCE[guided(input)]]
  return ['## How to end', '', ...listed, ...words].join('\n')
}

const guided = ({ role, steers = false }: BriefingInput): keyof typeof GUIDANCE =>
  role === 'review' ? 'reviewer' : steers ? 'orchestrator' : 'worker'

const byExitStatus = ({ role }: BriefingInput): readonly string[] =>
  role === 'review'
    ? [
        'You review finished work: read it, try it, and judge it against the body. Do not redo it.',
        'Approve with `kanban_complete`, or send it back with `kanban_request_changes` and say exactly what is missing.',
        'Exit status 0 without a word approves it too: the end of your output is kept. Any other status is a review',
        'that failed and is tried again, not a rejection; 75 says that a quota is spent.',
      ]
    : [
        'End with exit status 0 when the work is done: the end of your output is kept as its summary. Any other status',
        'is a failure, except 75: a quota is spent, and the card is tried again later.',
      ]
