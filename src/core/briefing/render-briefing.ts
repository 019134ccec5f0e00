/**
 * What a worker or a reviewer is told about its card: the card, what happened to it before, what its parents left, who
 * said what. Everything that somebody wrote stands in a fence longer than any run of backticks within it, so that no
 * text can close its own fence, pose as a heading, or speak with the board's voice. Every list and every text has a
 * cap: a card with a thousand runs still fits a prompt, and says what was left out.
 */
import { answers } from './answers.ts'
import type { BriefingInput } from './briefing-input.ts'
import { commentThread } from './comment-thread.ts'
import { priorAttempts, review } from './earlier-runs.ts'
import { body, heading, resumedHeading } from './heading.ts'
import { howToEnd } from './how-to-end.ts'
import { parentResults, recentWork } from './other-cards.ts'
import { attachments, skills } from './skills-and-files.ts'

export function renderBriefing(input: BriefingInput): string {
  const sections = [
    heading(input),
    answers(input),
    body(input),
    review(input),
    skills(input),
    attachments(input),
    priorAttempts(input),
    parentResults(input),
    recentWork(input),
    commentThread(input),
    howToEnd(input),
  ]
  return joined(sections)
}

/** For an agent that resumes its earlier session: it knows the card already, so only what may have changed is repeated. */
export const renderResumed = (input: BriefingInput): string =>
  joined([
    resumedHeading(input),
    answers(input),
    body(input),
    attachments(input),
    commentThread(input),
    howToEnd(input),
  ])

const joined = (sections: readonly string[]): string =>
  `${sections
    .filter((section) => section !== '')
    .join('\n\n')
    .trimEnd()}\n`
