/** The content of a briefing. */
import type { Attachment } from '../attachment.ts'
import type { Comment } from '../comment.ts'
import type { TaskId } from '../ids.ts'
import type { Run } from '../run.ts'
import type { Task } from '../task.ts'

export interface BriefingAttachment extends Pick<Attachment, 'filename' | 'contentType' | 'size'> {
  /** Path of the file for the worker; null when it is on another machine. */
  readonly path: string | null
}

/** The results of a parent, as of when it finished. */
export interface BriefingParent {
  readonly task: Pick<Task, 'id' | 'title' | 'status' | 'result' | 'metadata' | 'workspace' | 'completedAt'>
  /** Summary of the parent's newest completed run. */
  readonly summary: string | null
  /** Paths of its artifacts that the worker can open. */
  readonly artifacts: readonly string[]
  /** The copy of its workspace, if the workspace is gone. */
  readonly snapshotPath?: string | null
}

/** Work that the same agent finished on another card. */
export interface RecentWork {
  readonly taskId: TaskId
  readonly title: string
  readonly summary: string | null
  readonly endedAt: number
}

/** A skill of the run. */
export interface BriefingSkill {
  readonly name: string
  /** Null: it is not installed here, and the run works without it. */
  readonly folder: string | null
  /** The agent's own name for it, if the agent loads it natively. */
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
  /** Whether the agent is an orchestrator, which may use the whole board and assigns work to others. */
  readonly isOrchestrator?: boolean
  /** The directory of the run, if the card's path is not recorded yet. */
  readonly workspacePath?: string | null
  /** The copy of the card's earlier workspace, if that is gone. */
  readonly snapshotPath?: string | null
  /** Skills to read first. */
  readonly skills?: readonly BriefingSkill[]
  readonly attachments: readonly BriefingAttachment[]
  /** Every run of the card; open runs are not shown. */
  readonly runs: readonly Run[]
  readonly parents: readonly BriefingParent[]
  /** Newest first. */
  readonly recentWork: readonly RecentWork[]
  /** Oldest first. */
  readonly comments: readonly Comment[]
  /** The number of older comments that are not in `comments`. */
  readonly earlierComments?: number
  /** The comments given with `unblock`, `reopen` or `promote`, oldest first. */
  readonly answers: readonly Comment[]
  /** The number of answers since the card was last done that are not in `answers`. */
  readonly earlierAnswers?: number
  /** Files of the run with the full texts. Absent when there is no run. */
  readonly files?: BriefingFiles
}

/** Null: the text was not cut. */
export interface BriefingFiles {
  readonly body: string | null
  readonly answers: string | null
}
