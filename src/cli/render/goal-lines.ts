/** The progress towards the goal of a card, for people. */
import { goalProgress, goalText, judgeUsage } from '../../core/goal.ts'
import { isRunning } from '../../core/status.ts'
import { usageText } from '../../harnesses/stream/passage-text.ts'
import type { TaskDetails } from '../../operations/shared/views.ts'
import { oneLine } from '../output/escape.ts'
import { wrapped } from './page-layout.ts'

export function goalLines(task: TaskDetails, width: number): readonly string[] {
  const progress = goalProgress(task, task.runs)
  if (progress === null) return []
  const { judge, last } = progress
  const points = last?.answer === 'continue' ? last.missing : []
  const shown = points.length === 0 ? progress : { ...progress, last: null }
  const usage = usageOfJudge(task)
  return [
    ...wrapped(`${oneLine(goalText(shown, isRunning(task.status)))} · judged by ${JUDGE_TEXTS[judge]}`, 2, width),
    ...(points.length === 0 ? [] : ['  missing:']),
    ...points.flatMap((point) => wrapped(`- ${oneLine(point)}`, 4, width)),
    ...(usage === '' ? [] : wrapped(`the judge used ${usage}`, 2, width)),
  ]
}

const JUDGE_TEXTS = { model: 'a model', checks: 'its checks' } as const

/** The usage of the judge in all runs of the card. */
const usageOfJudge = ({ runs }: TaskDetails): string => {
  const judgements = runs.flatMap(({ goal }) => goal?.judgements ?? [])
  const usage = judgeUsage({ goal: { judgements } })
  return usage === null ? '' : usageText(usage)
}
