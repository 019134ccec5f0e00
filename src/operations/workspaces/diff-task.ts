import { FILE_CHANGES, FILE_KINDS } from '../../workspaces/landing/changed-files.ts'
import type { FileChange } from '../../workspaces/landing/changed-files.ts'
import { diffWork } from '../../workspaces/landing/diff-work.ts'
import { recoverLandings } from '../../workspaces/landing/open-landings.ts'
import { defineOperation } from '../shared/operation.ts'
import { reportingFaults, requireWorkHere, worktreeCard } from './worktree-card.ts'

/**
 * The maximum number of context lines. It is more than the lines of any file whose patch is shown, so it shows the
 * whole file.
 */
const CONTEXT_MAX = 100_000
const RANGE = /^[\da-f]{40,64}\.\.[\da-f]{40,64}$/

export const diffTask = defineOperation({
  name: 'diff',
  kind: 'local',
  actor: 'person',
  scope: 'card',
  summary: 'Show the changes of a worktree card, before or after it lands.',
  schemas: ({ z, count, taskId, cardRef }) => {
    const fileChange = z.object({
      path: z.string(),
      change: z.enum(FILE_CHANGES),
      kind: z.enum(FILE_KINDS),
      /** The kind of the file before the change. For a new file, this is equal to `kind`. */
      wasKind: z.enum(FILE_KINDS),
      /** The beginning of the hash of the file's new content. */
      hash: z.string(),
      /** The former path of a renamed or copied file. */
      from: z.string().nullable(),
      /** Null for a binary file. */
      added: count.nullable(),
      removed: count.nullable(),
    })
    return {
      input: z.object({
        task: cardRef,
        patch: z.boolean().default(true).describe('Include the changed lines, not only names and counts'),
        file: z.string().min(1).exactOptional().describe('Only the change of this file, with its lines'),
        from: z.string().min(1).exactOptional().describe('The former path of `file`, with `range`'),
        limit: z.int().min(1).exactOptional().describe('List at most this many files'),
        context: z
          .int()
          .min(0)
          .max(CONTEXT_MAX)
          .exactOptional()
          .describe('The unchanged lines around each change of `file`'),
        ignoresSpace: z.boolean().exactOptional().describe('Ignore changes of white space'),
        find: z.string().min(1).max(200).exactOptional().describe('List the files with this text in a changed line'),
        range: z.string().regex(RANGE).exactOptional().describe('The state of an earlier answer: its `range`'),
      }),
      output: z.object({
        id: taskId,
        branch: z.string(),
        base: z.string(),
        head: z.string(),
        /** The two states that were compared, in the form of git. */
        range: z.string(),
        /** The paths of the files that contain the text `find`. This is null without `find`. */
        matching: z.array(z.string()).readonly().nullable(),
        /** The sum of all changes, even if `files` does not list every file. */
        total: z.object({ files: count, added: count, removed: count }),
        files: z.array(fileChange).readonly(),
        patch: z.string().nullable(),
        /** Whether the lines of the file are left out, because they are too many. */
        isTooLarge: z.boolean(),
      }),
    }
  },
  run: async ({ options: { home }, openStore }, { task: typed, limit, ...asked }) => {
    await recoverLandings(home).catch(() => 0)
    const store = await openStore('read')
    try {
      const card = await worktreeCard(store, home, typed)
      await requireWorkHere({ store, home, command: 'diff' }, card)
      const { task, repo, branch, path } = card
      const { base, baseBranch } = task.workspace
      const landedTip = task.landed?.tip ?? null
      const place = { home, card: task.id, repo, branch, path, base, baseBranch, landedTip }
      const found = await reportingFaults('diff_refused', repo, () => diffWork({ ...place, ...asked }))
      return { id: task.id, branch, ...found, total: totalOf(found.files), files: found.files.slice(0, limit) }
    } finally {
      await store.close()
    }
  },
})

const totalOf = (files: readonly FileChange[]) => ({
  files: files.length,
  added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
  removed: files.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
})
