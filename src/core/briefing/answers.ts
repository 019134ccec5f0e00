/** The section of the briefing that shows the questions of earlier runs with their answers. */
import type { Comment } from '../comment.ts'
import { questionRounds } from './rounds.ts'
import type { Question, QuestionRound } from './rounds.ts'
import type { BriefingInput } from './briefing-input.ts'
import { BRIEFING_ANSWER_MAX, BRIEFING_COMMENT_MAX, BRIEFING_ROUNDS, PATH_MAX } from './caps.ts'
import { awaitsPerson } from '../status.ts'
import { timeAndAge } from './moment.ts'
import { fenced, inline, omitted, hasText } from './quoted.ts'

export function answerTexts(input: BriefingInput): string {
  const { earlierAnswers = 0 } = input
  const rounds = questionRounds(input)
  if (rounds.length === 0) return ''
  const shown = rounds.slice(0, BRIEFING_ROUNDS)
  return [
    '## Answers',
    'Questions from earlier runs of this card with their answers, newest first. The answers are part of the card: act on ' +
      'them, and do not ask again.',
    ...(areAnswersCut(input) ? [fullText(input.files?.answers ?? null)] : []),
    ...shown.map((round, at) => roundText(round, at, input)),
    ...omitted(rounds.length - shown.length + earlierAnswers, 'earlier question'),
  ].join('\n\n')
}

/** Whether the briefing omits or shortens an answer. */
export function areAnswersCut(input: BriefingInput): boolean {
  const rounds = questionRounds(input)
  const isLong = (round: QuestionRound, at: number): boolean =>
    round.answers.some(({ body }) => body.trim().length > answerMax(at))
  return rounds.length > BRIEFING_ROUNDS || rounds.some(isLong)
}

/** The ids of the comments that the briefing shows as answers, so that the comment thread does not repeat them. */
export const answersShown = (input: BriefingInput): ReadonlySet<Comment['id']> =>
  new Set(
    questionRounds(input)
      .slice(0, BRIEFING_ROUNDS)
      .flatMap((round) => round.answers.map(({ id }) => id)),
  )

/** Every question and answer in full, newest first, for the file of the run. */
export const wholeAnswers = (input: BriefingInput): string =>
  [
    ...questionRounds(input).map((round) => roundText(round, null, input)),
    ...omitted(input.earlierAnswers ?? 0, 'earlier answer'),
  ].join('\n\n')

/**
 * The maximum length of an answer. The newest answer may be longer than older answers, because the card waited for it.
 */
const answerMax = (at: number | null): number =>
  at === null ? Infinity : at === 0 ? BRIEFING_ANSWER_MAX : BRIEFING_COMMENT_MAX

const fullText = (path: string | null): string =>
  path === null
    ? 'Long answers are cut. `kanban_show` with `part: "answers"` returns them in full, in pages.'
    : `Long answers are cut. To read them in full, open ${inline(path, PATH_MAX)}, or page through \`kanban_show\` with \`part: "answers"\`.`

function roundText(
  { question, verb, answers: given }: QuestionRound,
  at: number | null,
  { now, task }: BriefingInput,
): string {
  const texts = given.map(
    ({ author, createdAt, body }) =>
      `Answer from ${inline(author)}, ${timeAndAge(createdAt, now)}:\n\n${fenced(body, answerMax(at))}`,
  )
  const waits = awaitsPerson(task.status)
  const none = waits ? 'There is no answer yet.' : 'The card was released without an answer: decide for yourself.'
  return [
    question === null
      ? `### ${verb === null ? WITHOUT_QUESTION.unblock : WITHOUT_QUESTION[verb]}`
      : questionText(question, at, now),
    ...(texts.length === 0 ? [none] : texts),
  ].join('\n\n')
}

const WITHOUT_QUESTION: Readonly<Record<NonNullable<QuestionRound['verb']>, string>> = {
  unblock: 'The card was released',
  promote: 'The card was released',
  reopen: 'The card was reopened',
  request_changes: 'The verifier of the swarm requested changes',
}

/** Kinds of blocks that the board itself sets. Such a block asks no question. */
const STOPS: readonly (string | null)[] = ['breaker', 'attempts', 'budget']

function questionText({ text, kind, by, at: askedAt }: Question, at: number | null, now: number): string {
  const what = STOPS.includes(kind)
    ? 'The board stopped the card'
    : `Question${by === null ? '' : ` from ${inline(by)}`}`
  const heading = `### ${what}${askedAt === null ? '' : `, ${timeAndAge(askedAt, now)}`}`
  return hasText(text) ? `${heading}\n\n${fenced(text, at === null ? Infinity : BRIEFING_COMMENT_MAX)}` : heading
}
