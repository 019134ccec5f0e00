import { answersShown } from './answers.ts'
import type { BriefingInput } from './briefing-input.ts'
import { BRIEFING_COMMENTS, BRIEFING_COMMENT_MAX, LINE_MAX } from './caps.ts'
import { timeAndAge } from './moment.ts'
import { fenced, omitted, cutToOneLine } from './quoted.ts'

export function commentThread(input: BriefingInput): string {
  const { earlierComments = 0, now } = input
  const above = answersShown(input)
  const comments = input.comments.filter(({ id }) => !above.has(id))
  if (comments.length === 0) return ''
  const shown = comments.slice(-BRIEFING_COMMENTS)
  return [
    '## Comment thread',
    ...omitted(earlierComments + comments.length - shown.length, 'earlier comment'),
    ...shown.map(
      (comment) =>
        `comment from \`${cutToOneLine(comment.author, LINE_MAX).replaceAll('`', '')}\` at ${timeAndAge(comment.createdAt, now)}:\n\n` +
        fenced(comment.body, BRIEFING_COMMENT_MAX),
    ),
  ].join('\n\n')
}
