import { BoardError } from '../../../core/errors.ts'
import { STATE_TYPES } from '../../../operations/runs/run-view.ts'
import { showTask } from '../../../operations/cards/show-task.ts'
import type { TournamentView } from '../../../operations/tournaments/views.ts'
import { definedOnly } from '../../../util/objects.ts'
import type { Invocation } from '../../invocation.ts'
import { cardLink } from '../../card-link.ts'
import { cardId, choice, line } from '../../flags.ts'
import type { CardContext } from '../../render/task-page.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: showTask,
  args: { id: cardId },
  flags: {
    stateType: choice(STATE_TYPES, 'whether --state-name is a status or an outcome'),
    stateName: line('<name>'),
    commentsBefore: line('<comment>'),
  },
  examples: ['muster show t_4k2', 'muster show t_4k2 --state-type outcome --state-name crashed'],
  run: async (cli, { id, stateType, stateName, commentsBefore }) => {
    const task = await cli.ask(showTask, {
      task: id,
      ...definedOnly({ stateType, stateName, commentsBefore }),
    })
    if (cli.json) return cli.answer(task, '')
    const { taskPage } = await import('../../render/task-page.ts')
    const { now, terminal } = cli.world
    const [reasons, results] = await askMore(cli, task.id)
    const tournament = task.tournament === null ? null : await askTournament(cli, task.id)
    const context = { now: now(), reasons, results, tournament, link: cardLink(cli, task) }
    cli.answer(task, taskPage(task, { ...context, ...definedOnly({ width: terminal?.columns }) }))
  },
})

const askTournament = async (cli: Invocation, task: string): Promise<TournamentView> => {
  const { showTournament } = await import('../../../operations/tournaments/show-tournament.ts')
  return cli.ask(showTournament, { task })
}

/** Reads the reasons and the results, for text output only, because reading agent files and folders takes some time. */
async function askMore(cli: Invocation, task: string): Promise<[CardContext['reasons'], CardContext['results']]> {
  // Inside a run, these operations are not available, so the card is shown without their results.
  if (cli.insideRun) return [null, null]
  const [{ explainTask }, { locateResults }] = await Promise.all([
    import('../../../operations/cards/explain-task.ts'),
    import('../../../operations/cards/locate-results.ts'),
  ])
  const orNull = (error: unknown): null => {
    if (error instanceof BoardError) return null
    throw error
  }
  const why = await cli.ask(explainTask, { task }).catch(orNull)
  return [why?.reasons ?? null, await cli.ask(locateResults, { task }).catch(orNull)]
}
