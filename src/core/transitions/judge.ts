/**
 * Records what the judge of a goal answered about a turn, and decides how the run continues: the verdict applies, the
 * agent gets another turn, or the card is blocked when the run settles.
 */
import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import { goalOf, isJudgedRun, judgementText } from '../goal.ts'
import type { Goal } from '../goal.ts'
import { count, line, taskId, text } from '../input/fields.ts'
import { JUDGEMENT_LIMITS, fenceSchema } from '../run.ts'
import type { GoalState, Judgement, Run, Verdict } from '../run.ts'
import { cut } from '../text.ts'
import { JUDGES, JUDGE_ANSWERS } from '../vocabulary.ts'
import { needsChecks } from './run-life.ts'
import { ownedRun } from './owned-run.ts'

const spent = z.object({
  model: line,
  inputTokens: count.nullable(),
  outputTokens: count.nullable(),
  costUsd: z.number().min(0).nullable(),
})

const input = z.object({
  task: taskId,
  fence: fenceSchema,
  answer: z.enum(JUDGE_ANSWERS),
  by: z.enum(JUDGES),
  reason: text,
  missing: z.array(text).default([]),
  /** The usage of the judge's model. Null if no model was asked. */
  usage: spent.nullable().default(null),
  /** The hash of the task and the work that the judge saw. */
  hash: text.nullable().default(null),
  /** Whether the agent's session can continue with another turn. */
  canContinue: z.boolean().default(true),
})
type Input = z.infer<typeof input>

/**
 * How the run continues: the worker's verdict applies (`settle`), the agent gets the missing points (`continue`) or a
 * reminder to complete the card (`remind`), or the card is blocked (`stop`).
 */
type GoalStep = 'settle' | 'continue' | 'remind' | 'stop'

const EMPTY: GoalState = {
  judgements: [],
  isTurnJudged: false,
  passedAt: null,
  passedHash: null,
  isReminded: false,
  stop: null,
}

export const judge = defineVerb({
  name: 'judge',
  input,
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input: given, now }) => {
    const { task: id, fence, ...content } = given
    const found = ownedRun(rows, { task: id, fence }, { verb: 'judge', content })
    if ('ok' in found) return found
    const { task, run } = found
    const goal = goalOf(task)
    if (goal === null || !isJudgedRun(task, run))
      return refuse('wrong_status', `Run ${run.id} has no goal, so no judge decides about it.`, {
        id: task.id,
        runId: run.id,
      })
    const before = run.goal ?? EMPTY
    const left = (turns: number): number => Math.max(0, goal.maxTurns - turns)
    // Each turn is judged once, so a repeated request gets the same answer.
    if (before.isTurnJudged)
      return accept({ runId: run.id, next: stepAfter(before, run.verdict), left: left(task.goalTurns) })
    const turns = task.goalTurns + (given.answer === 'unavailable' ? 0 : 1)
    const judgement = judgementOf(given, turns, now)
    const state = stateAfter(before, judgement, { goal, given, verdict: run.verdict, now })
    const withdrawn = state.stop === null && given.answer === 'continue' ? pendingOf(run) : null
    return accept(
      { runId: run.id, next: stepAfter(state, withdrawn === null ? run.verdict : null), left: left(turns) },
      {
        changes: [
          {
            op: 'update_run',
            taskId: task.id,
            patch: { goal: state, ...(withdrawn === null ? {} : { verdict: null, verdictAt: null }) },
          },
          { op: 'update_task', id: task.id, patch: { goalTurns: turns } },
        ],
        events: [
          {
            kind: 'goal_judged',
            taskId: task.id,
            runId: run.id,
            data: {
              turn: turns,
              maxTurns: goal.maxTurns,
              answer: given.answer,
              reason: judgement.reason,
              missing: judgement.missing,
              ...(withdrawn === null ? {} : { withdrawn: withdrawn.kind }),
            },
          },
        ],
      },
    )
  },
})

function judgementOf({ answer, by, reason, missing, usage }: Input, turn: number, at: number): Judgement {
  const { points, point, reason: longest } = JUDGEMENT_LIMITS
  return {
    turn,
    answer,
    by,
    reason: cut(reason, longest),
    missing: answer === 'continue' ? missing.slice(0, points).map((one) => cut(one, point)) : [],
    model: usage?.model ?? null,
    inputTokens: usage?.inputTokens ?? null,
    outputTokens: usage?.outputTokens ?? null,
    costUsd: usage?.costUsd ?? null,
    at,
  }
}

interface Moment {
  readonly goal: Goal
  readonly given: Input
  readonly verdict: Verdict | null
  readonly now: number
}

function stateAfter(before: GoalState, judgement: Judgement, { goal, given, verdict, now }: Moment): GoalState {
  const isDone = judgement.answer === 'done'
  const state: GoalState = {
    ...before,
    judgements: [...before.judgements, judgement],
    isTurnJudged: true,
    passedAt: isDone ? now : null,
    passedHash: isDone ? given.hash : before.passedHash,
  }
  const mayContinue = given.canContinue && judgement.turn < goal.maxTurns
  return { ...state, stop: stopAfter(state, { judgement, goal, verdict, mayContinue, canContinue: given.canContinue }) }
}

interface StopFacts {
  readonly judgement: Judgement
  readonly goal: Goal
  readonly verdict: Verdict | null
  readonly mayContinue: boolean
  readonly canContinue: boolean
}

/**
 * Returns the reason to block the card after this judgement. Null if the verdict applies or the agent gets another
 * turn.
 */
function stopAfter(
  state: GoalState,
  { judgement, goal, verdict, mayContinue, canContinue }: StopFacts,
): GoalState['stop'] {
  switch (judgement.answer) {
    case 'done':
      if (verdict !== null && needsChecks(verdict)) return null
      return !state.isReminded && mayContinue ? null : { kind: 'needs_input', reason: NEVER_COMPLETED }
    case 'continue':
      if (mayContinue) return null
      return canContinue
        ? { kind: 'budget', reason: `All ${goal.maxTurns} turns are used. Still ${judgementText(judgement)}` }
        : {
            kind: 'capability',
            reason: `The agent cannot continue its session, so it gets no further turn. Still ${judgementText(judgement)}`,
          }
    case 'impossible':
      return { kind: 'capability', reason: `The judge finds that the goal cannot be reached: ${judgement.reason}` }
    case 'unavailable':
      return { kind: 'transient', reason: `The judge of the goal is not available: ${judgement.reason}` }
  }
}

const NEVER_COMPLETED = 'The judge accepts the work, but the agent did not complete the card.'

function stepAfter({ stop, judgements }: GoalState, verdict: Verdict | null): GoalStep {
  if (stop !== null) return 'stop'
  if (judgements.at(-1)?.answer !== 'done') return 'continue'
  return verdict !== null && needsChecks(verdict) ? 'settle' : 'remind'
}

const pendingOf = ({ verdict }: Pick<Run, 'verdict'>): Verdict | null =>
  verdict !== null && needsChecks(verdict) ? verdict : null
