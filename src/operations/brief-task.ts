import { runnerOf } from '../core/admission.ts'
import { BoardError } from '../core/errors.ts'
import type { Agent } from '../workers/agent.ts'
import { briefCard } from '../workers/brief-card.ts'
import { harnessNamed } from '../workers/harnesses/index.ts'
import { readRoster } from '../workers/roster.ts'
import { checksOfAgent, withChecks } from './agent-checks.ts'
import { isOwnWork } from './is-own-work.ts'
import { defineOperation } from './operation.ts'
import { resolveTask } from './resolve-task.ts'

export const briefTask = defineOperation({
  name: 'context',
  kind: 'query',
  actor: 'worker',
  scope: 'card',
  summary: 'Print exactly what a worker would be told about a card.',
  schemas: () => import('./brief-task.schema.ts'),
  run: async (context, { task: typed, role: asked }) => {
    const { store, options } = context
    const { board: slug, id } = await resolveTask(store, typed)
    const [task, board] = await Promise.all([store.task(slug, id), store.board(slug)])
    if (task === null || board === null)
      throw new BoardError('task_not_found', `There is no card ${id}.`, { details: { id } })
    const role = asked ?? (task.status === 'review' ? 'review' : 'work')
    const agent =
      role === 'review'
        ? runnerOf({ ...task, status: 'review' }, board, await isOwnWork(store, task, board))
        : task.assignee
    const standing = await standingOf(options.home, agent)
    const checked = withChecks(task, await checksOfAgent(context, task))
    return { task, text: await briefCard(store, { home: options.home, task: checked, role, agent, ...standing }) }
  },
})

/** What the agent's own file adds, where its harness reads a briefing at all. */
async function standingOf(home: string, name: string | null): Promise<{ readonly standing?: Agent }> {
  const agent = name === null ? undefined : (await readRoster(home)).agents.get(name)
  return agent !== undefined && harnessNamed(agent.harness)?.readsBriefing === true ? { standing: agent } : {}
}
