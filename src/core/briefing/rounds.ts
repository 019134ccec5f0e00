/**
 * The questions of a card and the answers to them, since it was last done. An answer is the text given with `unblock`,
 * `reopen` or `promote`, and every comment that a person wrote while the card was blocked.
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
  /** Null if there was no question, because a finished card was reopened or a waiting card was promoted. */
  readonly question: Question | null
  /**
   * The command that let the card continue. Null means that the command carried no text, or that the card still waits.
   */
  readonly verb: AnswerTo['verb'] | null
  /** Oldest first. */
  readonly answers: readonly Comment[]
}

interface History {
  readonly runs: readonly Pick<Run, 'phase' | 'outcome' | 'summary' | 'agent' | 'claimedBy' | 'endedAt'>[]
  /** Comments with `answerTo`, oldest first. */
  readonly answers: readonly Comment[]
  /** Oldest first. */
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

/** The time of the last answer; null if the card has no answer since it was last done. */
export function lastAnswerAt(history: History): number | null {
  const times = questionRounds(history).flatMap(({ answers }) => answers.map(({ createdAt }) => createdAt))
  return times.length === 0 ? null : Math.max(...times)
}

type Ended = History['runs'][number] & { readonly endedAt: number }

const lastCompletion = (runs: History['runs']): number => endedAs(runs, 'completed').at(-1)?.endedAt ?? 0

/** Oldest first. */
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

/**
 * A question without an answer text: the card was unblocked without one, or is still blocked. Comments may hold the
 * answer.
 */
const roundWithoutText = (
  { summary, agent, claimedBy, endedAt }: Ended,
  answers: readonly Comment[],
): QuestionRound => ({
  verb: null,
  question: { text: summary ?? '', kind: null, by: agent === null ? claimedBy : `agent:${agent}`, at: endedAt },
  answers,
})

/**
 * Comments that people wrote in this period. A worker's comments do not count, because a worker does not answer its own
 * question.
 */
const writtenBetween = (comments: History['comments'], from: number, until: number): Comment[] =>
  comments.filter(
    ({ runId, answerTo, createdAt }) => runId === null && answerTo === null && createdAt >= from && createdAt <= until,
  )
