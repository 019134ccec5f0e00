import { EDIT_FIELDS } from '../../../core/card-fields.ts'
import { BoardError } from '../../../core/errors.ts'
import { asksQuestion, isBlocked } from '../../../core/status.ts'
import { editTask } from '../../../operations/cards/edit-task.ts'
import { definedOnly } from '../../../util/objects.ts'
import type { TaskView } from '../../../storage/store.ts'
import { editFlags, givenFields } from '../../card-flags.ts'
import { givenGoal, goalEditFlags } from '../../goal-flags.ts'
import type { Invocation } from '../../invocation.ts'
import { oneLine } from '../../output/escape.ts'
import { defineCommand } from '../../command.ts'
import * as flag from '../../flags.ts'
import { resultLine } from '../../change-cards.ts'

const { withBrief, filling, text, toggle } = flag

export const command = defineCommand({
  group: 'cards',
  operation: editTask,
  args: { id: flag.cardId },
  flags: {
    title: withBrief('in one line', text()),
    ...editFlags,
    ...goalEditFlags,
    result: withBrief('of a done card', text()),
    summary: withBrief('of a done card', text()),
    metadata: withBrief('of a done card', flag.jsonObject()),
    clearClaim: withBrief('stop its run', toggle()),
    clearSkills: withBrief("its agent's", filling('skills', toggle('use the skills of its agent'))),
    freshWorkspace: withBrief(
      'without its files',
      toggle('start in an empty workspace; the files of the card stay on the other machine'),
    ),
    resetFailures: withBrief('to zero', toggle()),
  },
  brief: 'Change the fields of a card',
  examples: ['muster edit t_4k2 --title "Fix the login" --tenant none', 'muster edit t_4k2 --reset-failures'],
  run: async (
    cli,
    {
      id,
      result,
      summary,
      metadata,
      clearClaim,
      clearSkills,
      freshWorkspace,
      resetFailures,
      goal,
      goalMaxTurns,
      judge,
      noGoal,
      ...fields
    },
  ) => {
    const given: Readonly<Record<string, unknown>> = fields
    if (clearSkills && given['skill'] !== undefined)
      throw new BoardError('invalid_input', 'Give --skill or --clear-skills, not both.')
    const task = await cli.ask(editTask, {
      ...givenFields(EDIT_FIELDS, given),
      ...(clearSkills ? { skills: null } : {}),
      ...definedOnly({ result, summary, metadata, goal: givenGoal({ goal, goalMaxTurns, judge, noGoal }) }),
      task: id,
      clearClaim,
      resetFailures,
      freshWorkspace,
    })
    cli.answer(task, resultLine(clearClaim ? 'Reclaimed' : 'Edited')(task))
    await warnOfJudge(cli, task, goal)
    if (resetFailures && isBlocked(task.status))
      cli.notice(
        `The card is still blocked. To continue: ${asksQuestion(task) ? `muster answer ${task.id} '…'` : `muster unblock ${task.id}`}`,
      )
  },
})

/** Warns if no model can judge the new goal. Only this machine's settings are known. */
async function warnOfJudge(cli: Invocation, { goal }: Pick<TaskView, 'goal'>, isNew: boolean): Promise<void> {
  if (!isNew || cli.json || cli.insideRun || cli.remote !== null) return
  const { judgeWarning } = await import('../../../planning/judge/judge-warning.ts')
  const warning = await judgeWarning(cli.options.home, goal)
  if (warning !== null) cli.notice(oneLine(warning))
}
