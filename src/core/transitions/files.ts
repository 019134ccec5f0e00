/** Records files that the caller has already stored. */
import type { StoredFile } from '../attachment.ts'
import type { Change } from '../decision.ts'
import type { EventDraft } from '../event.ts'
import type { RunId } from '../ids.ts'
import type { Task } from '../task.ts'

interface Written {
  readonly changes: Change[]
  readonly events: EventDraft[]
}

export function recordFiles(
  task: Pick<Task, 'board' | 'id'>,
  files: readonly StoredFile[],
  { by, runId, now }: { by: string; runId: RunId | null; now: number },
): Written {
  const known = { board: task.board, taskId: task.id, uploadedBy: by, runId, createdAt: now }
  return {
    changes: files.map((file) => ({ op: 'insert_attachment', row: { ...file, ...known } })),
    events: files.map(({ filename, size }) => ({
      kind: 'attached',
      taskId: task.id,
      runId,
      data: { filename, size, by },
    })),
  }
}
