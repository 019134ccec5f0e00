import { decomposeTask } from '../../../operations/plans/decompose-task.ts'
import type { PlanResult } from '../../../operations/plans/views.ts'
import { defineCommand } from '../../command.ts'
import { confirm } from '../../confirm.ts'
import { toggle } from '../../flags.ts'
import type { Invocation } from '../../invocation.ts'
import { answerPlans, chooseCards, givenPlan, planArguments, planEach, planFlags } from '../../plan-cards.ts'
import { planText } from '../../render/plan.ts'

export const command = defineCommand({
  group: 'cards',
  operation: decomposeTask,
  brief: 'Split a rough card into cards',
  args: planArguments,
  flags: { ...planFlags, yes: toggle('apply the plan without asking') },
  without: { apply: '--yes applies the plan' },
  examples: ['muster decompose t_4k2', 'muster decompose t_4k2 --yes', 'muster decompose --all --json'],
  run: async (cli, { yes, hold, ...chosen }) => {
    const ids = await chooseCards(cli, chosen)
    const plan = givenPlan(chosen.plan)
    const answers = await planEach(ids, async (task) => {
      const made = await cli.ask(decomposeTask, { task, plan, apply: yes, hold })
      return made.applied || cli.json ? made : offer(cli, made, hold)
    })
    answerPlans(cli, answers, planText)
    const left = answers.find((answer) => answer.ok && !answer.applied)
    if (left !== undefined && !cli.json)
      cli.notice(`Nothing was changed. To apply a plan: muster decompose ${left.id} --yes`)
  },
})

/** On a terminal, shows the plan and asks whether to apply it. The person gets exactly this plan. */
async function offer(cli: Invocation, made: PlanResult, hold: boolean): Promise<PlanResult> {
  const answer = await confirm(`${planText(made)}\nApply this plan? [y/N] `)
  return answer === true ? cli.ask(decomposeTask, { task: made.id, plan: made.plan, apply: true, hold }) : made
}
