import type { Attachment } from '../attachment.ts'
import type { Comment } from '../comment.ts'
import type { TaskId } from '../ids.ts'
import type { Run } from '../run.ts'
import type { BlackboardEntry, SwarmMember } from '../swarm.ts'
import type { Task } from '../task.ts'

export interface BriefingAttachment extends Pick<Attachment, 'filename' | 'contentType' | 'size'> {
  /** The path at which the worker can read the file. Null means that the file is on another machine. */
  readonly path: string | null
}

export interface BriefingParent {
  readonly task: Pick<Task, 'id' | 'title' | 'status' | 'result' | 'metadata' | 'workspace' | 'completedAt'>
  /** The summary of the parent's newest completed run. */
  readonly summary: string | null
  /** The paths of the parent's artifacts that the worker can open. */
  readonly artifacts: readonly string[]
  /** The path of the copy of the parent's workspace, if Muster removed the workspace. */
  readonly snapshotPath?: string | null
}

/** Work that the same agent finished on another card. */
export interface RecentWork {
  readonly taskId: TaskId
  readonly title: string
  readonly summary: string | null
  readonly endedAt: number
}

export interface BriefingSkill {
  readonly name: string
  /** The folder of the skill. Null means that the skill is not installed here, and the run works without the skill. */
  readonly folder: string | null
  /** The name under which the agent loads the skill natively. Null means that the agent cannot load the skill. */
  readonly native: string | null
  /** The text of the skill. Null means that the agent loads the skill natively. */
  readonly text: string | null
}

/** The facts about a swarm that its members learn. */
export interface BriefingSwarm {
  readonly goal: string
  readonly members: readonly SwarmMember[]
  readonly entries: readonly BlackboardEntry[]
}

export interface BriefingInput {
  readonly role: 'work' | 'review'
  readonly now: number
  readonly task: Task
  readonly agent: string | null
  /** If the value is `complete`, the agent's exit code is its verdict. */
  readonly onExit?: 'complete' | 'verdict'
  /** Whether the agent is an orchestrator. An orchestrator may use the whole board and assigns work to other agents. */
  readonly isOrchestrator?: boolean
  /** The directory in which this run works. Set if the store does not have the card's directory yet. */
  readonly workspacePath?: string | null
  /** The path of the copy of the card's earlier workspace, if Muster removed that workspace. */
  readonly snapshotPath?: string | null
  /** The skills that the worker must read first. */
  readonly skills?: readonly BriefingSkill[]
  readonly attachments: readonly BriefingAttachment[]
  /** All runs of the card. The briefing does not show open runs. */
  readonly runs: readonly Run[]
  readonly parents: readonly BriefingParent[]
  /** The work that the same agent finished on other cards, newest first. */
  readonly recentWork: readonly RecentWork[]
  readonly comments: readonly Comment[]
  /** The number of older comments that are not in `comments`. */
  readonly earlierComments?: number
  /** The comments that people gave with `unblock`, `reopen` or `promote`, oldest first. */
  readonly answers: readonly Comment[]
  /** The number of answers since the card was last done that are not in `answers`. */
  readonly earlierAnswers?: number
  /** The swarm of the card. Null or undefined means that the card belongs to no swarm. */
  readonly swarm?: BriefingSwarm | null
  /** The files of the run that hold the full texts. Undefined if the briefing is shown without a run. */
  readonly files?: BriefingFiles
}

/** Paths of the files with the full texts. A path is null if its text was not cut. */
export interface BriefingFiles {
  readonly body: string | null
  readonly answers: string | null
}
