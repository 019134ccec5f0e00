/** What a briefing is made of. */
import type { Attachment } from '../attachment.ts'
import type { Comment } from '../comment.ts'
import type { TaskId } from '../ids.ts'
import type { Run } from '../run.ts'
import type { Task } from '../task.ts'

export interface BriefingAttachment extends Pick<Attachment, 'filename' | 'contentType' | 'size'> {
  /** Where the worker finds the file; null when it is on another machine. */
  readonly path: string | null
}

/** A parent as its child sees it: what it left behind, as of when it finished. */
export interface BriefingParent {
  readonly task: Pick<Task, 'id' | 'title' | 'status' | 'result' | 'metadata' | 'workspace' | 'completedAt'>
  /** Summary of the parent's newest completed run. */
  readonly summary: string | null
  /** Files it declared, as paths the worker can open. */
  readonly artifacts: readonly string[]
  /** Where a copy of its workspace is, once that is gone. */
  readonly snapshotPath?: string | null
}

/** Something the same agent finished on another card. */
export interface RecentWork {
  readonly taskId: TaskId
  readonly title: string
  readonly summary: string | null
  readonly endedAt: number
}

/** A skill that a run is to have. */
export interface BriefingSkill {
  readonly name: string
  /** Where it lies; null: it is not installed here, and the work goes on without. */
  readonly folder: string | null
  /** What its agent calls it, where that loads it itself. */
  readonly native: string | null
  /** Its text, if the agent does not load it natively. */
  readonly text: string | null
}

export interface BriefingInput {
  readonly role: 'work' | 'review'
  readonly now: number
  readonly task: Task
  /** The agent that will read this. */
  readonly agent: string | null
  /** `complete`: the exit status is the verdict. */
  readonly onExit?: 'complete' | 'verdict'
  /** Whether it may use the whole board, and is to route work rather than do it. */
  readonly steers?: boolean
  /** The directory it works in; where the card's own path is not yet known. */
  readonly workspacePath?: string | null
  /** The card was finished once and its workspace is gone: where a copy of it lies. */
  readonly snapshotPath?: string | null
  /** What it should read first. */
  readonly skills?: readonly BriefingSkill[]
  readonly attachments: readonly BriefingAttachment[]
  /** Every run of the card; those still open are left out. */
  readonly runs: readonly Run[]
  readonly parents: readonly BriefingParent[]
  /** Newest first. */
  readonly recentWork: readonly RecentWork[]
  /** Oldest first. */
  readonly comments: readonly Comment[]
  /** How many older comments the card has beside these. */
  readonly earlierComments?: number
  /** The comments given with `unblock`, `reopen` or `promote`, oldest first. */
  readonly answers: readonly Comment[]
  /** How many older answers the card has beside these, since it was last done. */
  readonly earlierAnswers?: number
  /** Files of the run with the full texts of what is cut here. Absent when there is no run. */
  readonly files?: BriefingFiles
}

/** Null: nothing was cut. */
export interface BriefingFiles {
  readonly body: string | null
  readonly answers: string | null
}
