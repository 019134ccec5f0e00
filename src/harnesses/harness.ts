/** The adapters that turn an agent and a card into a process. */
import type { Environment } from '../config/environment.ts'
import type { RunId } from '../core/ids.ts'
import type { Task } from '../core/task.ts'
import type { Permissions } from '../core/vocabulary.ts'
import type { BoardRole } from '../core/vocabulary.ts'
import type { RunDirectory } from '../runs/files/run-directory.ts'
import type { ReadLine } from './stream/entry.ts'

/** What a harness needs to know of an agent, with what its card sets instead of its file. */
export interface JobAgent {
  readonly name: string
  /** The program of a `command` or `acp` agent and its arguments, with placeholders. */
  readonly args: readonly string[]
  readonly permissions: Permissions
  readonly model: string | null
  readonly provider: string | null
  readonly effort: string | null
}

/** A skill that a run gets. */
export interface RunSkill {
  readonly name: string
  readonly folder: string
  readonly text: string
  /** Where an agent might find the skill without help: in a folder of its workspace, in the data folder, or neither. */
  readonly at: 'home' | '.agents' | '.claude' | 'elsewhere'
  /** Whether a CLI can load the skill by name: its front matter is standard, and no other skill has its name here. */
  readonly isPlain: boolean
}

export interface Job {
  readonly agent: JobAgent
  readonly task: Pick<Task, 'id' | 'board' | 'title' | 'body'>
  readonly run: RunId
  /** Counted from 1: a run may have several, each a process of its own. */
  readonly turn: number
  readonly directory: RunDirectory
  readonly workspace: string
  /** The agent's instruction and the card, in words; empty where the harness reads none. */
  readonly briefing: string
  /** How the run's own processes reach their board; null: there is no way. */
  readonly channel: { readonly path: string; readonly nonce: string; readonly lateFolder: string } | null
  /** What serves the board's tools to the agent: a program and its first arguments. */
  readonly shim: readonly string[]
  /** What speaks with agents of the Agent Client Protocol: likewise. */
  readonly acpClient: readonly string[]
  /** How long such an agent may take to open its session. */
  readonly sessionWaitMs: number
  readonly role: BoardRole
  /** Skills that it is to have; those that its agent loads itself must be laid out for it, the others it is told. */
  readonly skills?: readonly RunSkill[]
  /** Folders outside the workspace that it may read, and must not change (harnesses/readable-folders.ts). */
  readonly readable?: readonly string[]
  /** Where programs are looked for. */
  readonly path: string | undefined
  /** What it gets of the user's environment. */
  readonly env: Environment
}

/** A file, what is in it, and what a program makes of it that nobody asked for. Any other change to it stays. */
export interface Kept {
  readonly path: string
  readonly was: string
  readonly becomes: string
}

export interface Launch {
  readonly argv: readonly string[]
  /** Files of the run directory that must be there first. Left out, the mode is 0600: only their owner reads them. */
  readonly files: readonly { readonly path: string; readonly content: string; readonly mode?: number }[]
  /** Symbolic links of the run directory, to what is the user's own. */
  readonly links?: readonly { readonly path: string; readonly target: string }[]
  /** Files of others that the program writes to by itself: what was there is put back at once. */
  readonly keeps?: readonly Kept[]
  /** The file that is its standard input; null: it has none. */
  readonly stdin: string | null
  /** Variables of its own, beside those that every worker has. */
  readonly env?: Environment
}

/** What must lie in the run directory for a program. */
export type Furniture = Required<Pick<Launch, 'files' | 'links'>>

/** What a run goes on with after its agent has ended a turn. */
export interface Turn {
  /** What the agent is told, instead of its briefing. */
  readonly message: string
  /** The agent's own name for the conversation so far, as its first turn told it; null where it tells none. */
  readonly session: string | null
}

export interface Harness {
  /** The program it starts, as it is found on the PATH; null where the agent's file names it, or there is none. */
  readonly program: string | null
  /** Whether what it starts may itself speak for the run, by the nonce in its environment. */
  readonly nonceInEnvironment: boolean
  /** Whether it needs the agent's own program, which is looked for before a card is claimed. */
  readonly needsProgram: boolean
  readonly readsBriefing: boolean
  /** Whether the card itself is the program: how that exits then tells of the card, and nothing of the agent. */
  readonly runsTheCard: boolean
  /** Why the body of a card cannot be used; null when it can. Checked before the claim, so it costs no attempt. */
  bodyFault(task: Pick<Task, 'body'>, agent: Pick<JobAgent, 'args'>): 'body_missing' | 'body_too_long' | null
  /** Whether the program needs `provider/model`, or a provider beside the model. */
  readonly needsProvider?: boolean
  /** The efforts that the program accepts. Absent: any value, or a list for each model. */
  readonly efforts?: readonly string[]
  /** What its agent calls a skill that it loads itself; null, or left out: the text goes into the briefing. */
  nativeSkill?(skill: RunSkill): string | null
  /** Throws, in a sentence, when nothing can be started. */
  launch(job: Job): Launch
  /** The next turn of the same run; null where an agent cannot go on from where it ended. Throws as `launch` does. */
  resume(job: Job, turn: Turn): Launch | null
  /** Where it keeps its sessions, as paths within the run directory. Absent: in the user's own folders. */
  readonly sessionFiles?: readonly string[]
  /** What a line of its output says; null where it prints what it likes. */
  readonly readLine: ReadLine | null
}
