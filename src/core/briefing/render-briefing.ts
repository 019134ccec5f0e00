/**
 * Renders the text that a worker reads about its card: the card, its history, the results of its parents, and its
 * comments. Text of people and agents is in a code fence longer than any run of backticks within it, so that no text
 * can close its fence or look like a heading of the board. Every list and every text has a cap, so that a card with a
 * thousand runs still fits a prompt.
 */
import { answerTexts } from './answers.ts'
import type { BriefingInput } from './briefing-input.ts'
import { commentThread } from './comment-thread.ts'
import { priorAttempts, review } from './earlier-runs.ts'
import { taskBody, heading, resumedHeading } from './heading.ts'
import { howToEnd } from './how-to-end.ts'
import { parentResults, recentWorkOf } from './other-cards.ts'
import { attachments, skillTexts } from './skills-and-files.ts'

export function renderBriefing(input: BriefingInput): string {
  const sections = [
    heading(input),
    answerTexts(input),
    taskBody(input),
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

/** For an agent that resumes its earlier session: only the parts that may have changed. */
export const renderResumed = (input: BriefingInput): string =>
  joined([
    resumedHeading(input),
    answerTexts(input),
    taskBody(input),
    attachments(input),
    commentThread(input),
    howToEnd(input),
  ])

const joined = (sections: readonly string[]): string =>
  `${sections
    .filter((section) => section !== '')
    .join('\n\n')
    .trimEnd()}\n`
