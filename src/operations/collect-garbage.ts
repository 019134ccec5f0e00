import { clearAttachments } from './garbage/clear-attachments.ts'
import { clearBoards } from './garbage/clear-boards.ts'
import { clearEvents } from './garbage/clear-events.ts'
import { clearRuns } from './garbage/clear-runs.ts'
import { clearTrash } from './garbage/clear-trash.ts'
import { clearWorkspaces } from './garbage/clear-workspaces.ts'
import type { Round } from './garbage/round.ts'
import type { GarbageReport } from './collect-garbage.schema.ts'
import { defineOperation } from './operation.ts'
import { requireBoard } from './require-board.ts'

export const collectGarbage = defineOperation({
  name: 'gc',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Clear away what is old and nobody needs: events, logs, trash, leftovers.',
  schemas: () => import('./collect-garbage.schema.ts'),
  run: async ({ options, actor, openStore }, { apply, board, ...retention }) => {
    const store = await openStore(apply ? 'write' : 'read')
    try {
      if (board !== null) await requireBoard(store, board)
      const boards = (await store.boards()).filter(({ slug }) => board === null || slug === board)
      const now = await store.now()
      return await clearAll({ store, home: options.home, actor, boards, board, now, apply, left: [], ...retention })
    } finally {
      await store.close()
    }
  },
})

/** Events last: they tell which cards there were, should the files of one have outlived it. */
async function clearAll(round: Round): Promise<GarbageReport> {
  const trash = await clearTrash(round)
  const deletedBoards = await clearBoards(round)
  const workspaces = await clearWorkspaces(round)
  const runDirectories = await clearRuns(round)
  const attachments = await clearAttachments(round)
  const events = await clearEvents(round)
  const files = [...trash, ...deletedBoards, ...workspaces, ...runDirectories, ...attachments]
  return {
    applied: round.apply,
    events,
    trash,
    deletedBoards,
    workspaces,
    runDirectories,
    attachments,
    left: round.left,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
