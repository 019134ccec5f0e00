import { diffWork } from '../../workspaces/landing/diff-work.ts'
import { recoverLandings } from '../../workspaces/landing/open-landings.ts'
import { defineOperation } from '../shared/operation.ts'
import { reportingFaults, requireWorkHere, worktreeCard } from './worktree-card.ts'

export const diffTask = defineOperation({
  name: 'diff',
  kind: 'local',
  actor: 'person',
  scope: 'card',
  summary: 'Show the changes of a worktree card, before or after it lands.',
  schemas: ({ z, count, taskId, cardRef }) => {
    const fileChange = z.object({ path: z.string(), added: count.nullable(), removed: count.nullable() })
    return {
      input: z.object({
        task: cardRef,
        patch: z.boolean().default(true).describe('Include the changed lines, not only names and counts'),
      }),
      output: z.object({
        id: taskId,
        branch: z.string(),
        base: z.string(),
        head: z.string(),
        files: z.array(fileChange).readonly(),
        patch: z.string().nullable(),
      }),
    }
  },
  run: async ({ options: { home }, openStore }, { task: typed, patch }) => {
    await recoverLandings(home).catch(() => 0)
    const store = await openStore('read')
    try {
      const card = await worktreeCard(store, home, typed)
      await requireWorkHere({ store, home, command: 'diff' }, card)
      const { task, repo, branch, path } = card
      const { base, baseBranch } = task.workspace
      const landedTip = task.landed?.tip ?? null
      const request = { home, card: task.id, repo, branch, path, base, baseBranch, landedTip, patch }
      return { id: task.id, branch, ...(await reportingFaults('diff_refused', repo, () => diffWork(request))) }
    } finally {
      await store.close()
    }
  },
})
