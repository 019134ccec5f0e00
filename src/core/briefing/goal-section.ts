/** The section of the briefing about the goal of the card: who judges it, and what was missing after the last turn. */
import { goalProgress } from '../goal.ts'
import type { BriefingInput } from './briefing-input.ts'
import { fenced } from './quoted.ts'
import { BRIEFING_FIELD_MAX } from './caps.ts'

export function goalSection({ role, task, runs }: BriefingInput): string {
  const progress = role === 'work' ? goalProgress(task, runs) : null
  if (progress === null) return ''
  const { turns, maxTurns, judge, last } = progress
  const by = judge === 'checks' ? 'the checks below decide' : 'a judge compares the work with the title and the body'
  const points = last === null || last.answer !== 'continue' ? [] : last.missing.map((point) => `- ${point}`)
  return [
    '## Goal',
    `You work on this card in turns, until its goal is met. After each turn ${by}; what is missing comes back to you as ` +
      `the next message of this session. This is turn ${Math.min(turns + 1, maxTurns)} of ${maxTurns}. Complete the card when ` +
      'nothing is missing: a judgement of the work follows, not of what you report. End your turn otherwise.',
    ...(points.length === 0
      ? []
      : ['After the last turn, this was missing:', fenced(points.join('\n'), BRIEFING_FIELD_MAX)]),
  ].join('\n\n')
}
