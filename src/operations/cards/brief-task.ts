import { reviewerOf } from '../../core/gates/admission.ts'
import type { Board } from '../../core/board.ts'
import type { BriefingSkill } from '../../core/briefing/briefing-input.ts'
import { BoardError } from '../../core/errors.ts'
import { isInReview } from '../../core/status.ts'
import type { TaskView } from '../../storage/store.ts'
import type { Agent } from '../../agents/agent.ts'
import { briefCard } from '../../supervisor/brief-card.ts'
import { harnessOf, loadHarness } from '../../harnesses/index.ts'
import { readRoster } from '../../agents/roster.ts'
import { requestedSkills } from '../../agents/skills/requested-skills.ts'
import { briefingSkills, findRunSkills } from '../../agents/skills/run-skills.ts'
import { workspacePath } from '../../workspaces/workspace.ts'
import { checksOfAgent, withChecks } from '../agents/agent-checks.ts'
import { hostIfSupported } from '../../processes/identity.ts'
import { isOwnWork } from './next-runner.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export const briefTask = defineOperation({
  name: 'context',
  kind: 'query',
  actor: 'worker',
  scope: 'card',
  summary: 'Show the briefing that a worker of this card would get.',
  schemas: ({ z, text, taskView }) => ({
    input: z.object({
      task: z.string().describe('The id of a card, or the beginning of one'),
      role: z
        .enum(['work', 'review'])
        .exactOptional()
        .describe('The briefing for a worker (work) or for a reviewer (review)'),
    }),
    output: z.object({ task: taskView, text }),
  }),
  run: async (context, { task: typed, role: asked }) => {
    const { store, options } = context
    const { board: slug, id } = await resolveTask(store, typed)
    const [task, board] = await Promise.all([store.task(slug, id), store.board(slug)])
    if (task === null || board === null)
      throw new BoardError('task_not_found', `There is no card ${id}.`, { details: { id } })
    const role = asked ?? (isInReview(task.status) ? 'review' : 'work')
    const agent = role === 'review' ? reviewerOf(task, board, await isOwnWork(store, task, board)) : task.assignee
    const { home } = options
    const machine = hostIfSupported()?.machine.id ?? null
    const file = await agentFileOf(home, agent)
    const skills = await skillsOf(home, { task, board, role, agent: file.agentFile ?? null })
    const checked = withChecks(task, await checksOfAgent(context, task))
    const { text } = await briefCard(store, { home, machine, task: checked, role, agent, skills, ...file })
    return { task, text }
  },
})

interface SkillsInput {
  readonly task: TaskView
  readonly board: Board
  readonly role: 'work' | 'review'
  readonly agent: Agent | null
}

/**
 * The skills on this machine. The briefing marks a missing skill as missing, although a real run would wait for the
 * skill.
 */
async function skillsOf(home: string, { task, board, role, agent }: SkillsInput): Promise<readonly BriefingSkill[]> {
  const ofReviews = board.settings.reviewSkills
  const requested = requestedSkills({ task, role, ofAgent: agent?.skills ?? [], ofReviews })
  const workspace = workspacePath(task.workspace, { home, board: task.board, task: task.id })
  const found = await findRunSkills({ home, requested, place: task.workspace, workspace })
  const known = new Set(found.skills.map(({ name }) => name))
  const absent = [...requested.required, ...requested.optional].filter((name) => !known.has(name))
  const harness = agent === null ? null : await loadHarness(agent.harness)
  return briefingSkills({ skills: found.skills, absent }, harness?.nativeSkill?.bind(harness))
}

/** The agent file, if the harness of the agent reads a briefing. */
async function agentFileOf(home: string, name: string | null): Promise<{ readonly agentFile?: Agent }> {
  const agent = name === null ? undefined : (await readRoster(home)).agents.get(name)
  return agent !== undefined && harnessOf(agent).readsBriefing ? { agentFile: agent } : {}
}
