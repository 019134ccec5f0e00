import { specifyTask } from '../../../operations/plans/specify-task.ts'
import { defineCommand } from '../../command.ts'
import { toggle } from '../../flags.ts'
import { answerPlans, chooseCards, givenPlan, planArguments, planEach, planFlags } from '../../plan-cards.ts'
import { planText } from '../../render/plan.ts'

export const command = defineCommand({
  group: 'cards',
  operation: specifyTask,
  brief: 'Write out a rough card',
  args: planArguments,
  flags: { ...planFlags, dryRun: toggle('show the plan, change nothing') },
  without: { apply: 'The command applies the plan, unless --dry-run is given' },
  examples: ['muster specify t_4k2', 'muster specify --all --tenant acme', 'muster specify t_4k2 --dry-run'],
  run: async (cli, { dryRun, hold, ...chosen }) => {
    const ids = await chooseCards(cli, chosen)
    const plan = givenPlan(chosen.plan)
    const answers = await planEach(ids, (task) => cli.ask(specifyTask, { task, plan, apply: !dryRun, hold }))
    answerPlans(cli, answers, planText)
  },
})
