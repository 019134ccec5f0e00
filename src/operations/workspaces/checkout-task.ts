import { checkoutWork } from '../../workspaces/landing/checkout-work.ts'
import { recoverLandings } from '../../workspaces/landing/open-landings.ts'
import { defineOperation } from '../shared/operation.ts'
import { reportingFaults, requireWorkHere, worktreeCard } from './worktree-card.ts'

export const checkoutTask = defineOperation({
  name: 'checkout',
  kind: 'local',
  actor: 'person',
  scope: 'card',
  summary: 'Print the folder of a worktree card. If it was removed, check out the branch in your repository.',
  schemas: ({ z, taskId, cardRef }) => ({
    input: z.object({ task: cardRef }),
    output: z.object({ id: taskId, branch: z.string(), path: z.string(), switched: z.boolean() }),
  }),
  run: async ({ options: { home }, openStore }, { task: typed }) => {
    await recoverLandings(home).catch(() => 0)
    const store = await openStore('read')
    try {
      const card = await worktreeCard(store, home, typed)
      await requireWorkHere({ store, home, command: 'checkout' }, card)
      const { task, repo, branch, place } = card
      const request = { card: task.id, repo, branch, place }
      return { id: task.id, branch, ...(await reportingFaults('checkout_refused', repo, () => checkoutWork(request))) }
    } finally {
      await store.close()
    }
  },
})
