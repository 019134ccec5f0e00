/**
 * Renders the briefing of a card. Text from people and agents is quoted in a code fence that is longer than any row of
 * backticks in the text. So no text can close its fence or look like a heading of the board. Every list and every text
 * has a limit, so that the briefing of a card with a thousand runs still fits into a prompt.
 */
import { answerTexts } from './answers.ts'
import type { BriefingInput } from './briefing-input.ts'
import { commentThread } from './comment-thread.ts'
import { priorAttempts, review } from './earlier-runs.ts'
import { taskBody, heading, resumedHeading } from './heading.ts'
import { goalSection } from './goal-section.ts'
import { howToEnd } from './how-to-end.ts'
import { parentResults, recentWorkOf } from './other-cards.ts'
import { attachments, skillTexts } from './skills-and-files.ts'
import { swarmSection } from './swarm-section.ts'

export function renderBriefing(input: BriefingInput): string {
  const sections = [
    heading(input),
    answerTexts(input),
    taskBody(input),
    swarmSection(input),
    goalSection(input),
    review(input),
    skillTexts(input),
    attachments(input),
    priorAttempts(input),
    parentResults(input),
    recentWorkOf(input),
    commentThread(input),
    howToEnd(input),
  ]
  return joined(sections)
}

/** The briefing for an agent that resumes its earlier session. It contains only the sections that may have changed. */
export const renderResumed = (input: BriefingInput): string =>
  joined([
    resumedHeading(input),
    answerTexts(input),
    taskBody(input),
    swarmSection(input),
    goalSection(input),
    attachments(input),
    commentThread(input),
    howToEnd(input),
  ])

const joined = (sections: readonly string[]): string =>
  `${sections
    .filter((section) => section !== '')
    .join('\n\n')
    .trimEnd()}\n`
