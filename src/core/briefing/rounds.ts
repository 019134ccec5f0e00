/**
 * The questions of a card since the card was last done, with their answers. A text that a person gives with `unblock`,
 * `reopen` or `promote` is an answer. A comment that a person writes while the card is blocked is an answer too.
 */
import type { AnswerTo, Comment } from '../comment.ts'
import type { Run } from '../run.ts'
import type { BlockKind } from '../vocabulary.ts'

export interface Question {
  readonly text: string
  readonly kind: BlockKind | null
  readonly by: string | null
  readonly at: number | null
}

export interface QuestionRound {
  /**
   * The question. Null means that a person reopened a finished card or promoted a waiting card, because such a card had
   * asked no question.
   */
  readonly question: Question | null
  /**
   * The command that let the card continue. Null means that this command carried no text, or that the card is still
   * blocked.
   */
  readonly verb: AnswerTo['verb'] | null
  readonly answers: readonly Comment[]
}

interface History {
  readonly runs: readonly Pick<Run, 'phase' | 'outcome' | 'summary' | 'agent' | 'claimedBy' | 'endedAt'>[]
  /** Comments with `answerTo`, oldest first. */
  readonly answers: readonly Comment[]
  readonly comments: readonly Comment[]
}

/** The questions of the card with their answers, newest first. */
export function questionRounds({ runs, answers, comments }: History): readonly QuestionRound[] {
  const since = lastCompletion(runs)
  const given = answers.filter(({ createdAt }) => createdAt >= since)
  const answered = given.flatMap((answer) =>
    answer.answerTo === null ? [] : [{ at: answer.createdAt, round: roundOf(answer, answer.answerTo, comments) }],
  )
  const questions = endedAs(runs, 'blocked').filter(({ endedAt }) => endedAt >= since)
  const others = questions.flatMap((asked, at) => {
    const until = questions[at + 1]?.endedAt ?? Infinity
    if (given.some(({ createdAt }) => createdAt >= asked.endedAt && createdAt < until)) return []
    const round = roundWithoutText(asked, writtenBetween(comments, asked.endedAt, until))
    return round.answers.length === 0 && until < Infinity ? [] : [{ at: asked.endedAt, round }]
  })
  return [...answered, ...others].sort((a, b) => b.at - a.at).map(({ round }) => round)
}

/** The time of the last answer. Null means that the card has had no answer since it was last done. */
export function lastAnswerAt(history: History): number | null {
  const times = questionRounds(history).flatMap(({ answers }) => answers.map(({ createdAt }) => createdAt))
  return times.length === 0 ? null : Math.max(...times)
}

type Ended = History['runs'][number] & { readonly endedAt: number }

const lastCompletion = (runs: History['runs']): number => endedAs(runs, 'completed').at(-1)?.endedAt ?? 0

/** The runs with this outcome, oldest first. */
const endedAs = (runs: History['runs'], outcome: Run['outcome']): readonly Ended[] =>
  runs
    .filter((run): run is Ended => run.outcome === outcome && run.endedAt !== null)
    .sort((a, b) => a.endedAt - b.endedAt)

function roundOf(
  answer: Comment,
  { verb, question, kind, askedBy, askedAt }: AnswerTo,
  comments: History['comments'],
): QuestionRound {
  const before = askedAt === null ? [] : writtenBetween(comments, askedAt, answer.createdAt)
  return {
    verb,
    question: question === null ? null : { text: question, kind, by: askedBy, at: askedAt },
    answers: [...before, answer],
  }
}

/** The round of a question without an answer text. Comments may contain the answer. */
const roundWithoutText = (
  { summary, agent, claimedBy, endedAt }: Ended,
  answers: readonly Comment[],
): QuestionRound => ({
  verb: null,
  question: { text: summary ?? '', kind: null, by: agent === null ? claimedBy : `agent:${agent}`, at: endedAt },
  answers,
})

/**
 * The comments that people wrote between two times. Comments of workers are left out, because a worker does not answer
 * its own question.
 */
const writtenBetween = (comments: History['comments'], from: number, until: number): Comment[] =>
  comments.filter(
    ({ runId, answerTo, createdAt }) => runId === null && answerTo === null && createdAt >= from && createdAt <= until,
  )
