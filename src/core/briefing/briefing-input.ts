/** The content of a briefing. */
import type { Attachment } from '../attachment.ts'
import type { Comment } from '../comment.ts'
import type { TaskId } from '../ids.ts'
import type { Run } from '../run.ts'
import type { Task } from '../task.ts'

export interface BriefingAttachment extends Pick<Attachment, 'filename' | 'contentType' | 'size'> {
  /** The path at which the worker can read the file; null if the file is on another machine. */
  readonly path: string | null
}

/** A parent of the card, and the results that it had when it finished. */
export interface BriefingParent {
  readonly task: Pick<Task, 'id' | 'title' | 'status' | 'result' | 'metadata' | 'workspace' | 'completedAt'>
  /** Summary of the parent's newest completed run. */
  readonly summary: string | null
  /** Paths of the parent's artifacts that the worker can open. */
  readonly artifacts: readonly string[]
  /** The copy of the parent's workspace, if the workspace is gone. */
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
  /** The folder of the skill. Null means that the skill is not installed here, and the run works without the skill. */
  readonly folder: string | null
  /** The name under which the agent loads the skill natively, if it can. */
  readonly native: string | null
  /** The text of the skill, if the agent does not load it natively. */
  readonly text: string | null
}

export interface BriefingInput {
  readonly role: 'work' | 'review'
  readonly now: number
  readonly task: Task
  /** The agent that reads the briefing. */
  readonly agent: string | null
  /** If this is `complete`, the exit code is the verdict. */
  readonly onExit?: 'complete' | 'verdict'
  /** Whether the agent is an orchestrator. An orchestrator may use the whole board and assigns work to other agents. */
  readonly isOrchestrator?: boolean
  /** The directory of the run, if the card's path is not recorded yet. */
  readonly workspacePath?: string | null
  /** The copy of the card's earlier workspace, if that workspace is gone. */
  readonly snapshotPath?: string | null
  /** Skills to read first. */
  readonly skills?: readonly BriefingSkill[]
  readonly attachments: readonly BriefingAttachment[]
  /** All runs of the card. The briefing does not show open runs. */
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
  /** Files of the run that hold the full texts. Absent when there is no run. */
  readonly files?: BriefingFiles
}

/** Paths of the files with the full texts. A path is null if its text was not cut. */
export interface BriefingFiles {
  readonly body: string | null
  readonly answers: string | null
}
