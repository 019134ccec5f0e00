/** The interfaces between a run and the adapter of its agent CLI. */
import type { Environment } from '../config/environment.ts'
import type { RunId } from '../core/ids.ts'
import type { Task } from '../core/task.ts'
import type { BoardRole, OnExit, Permissions } from '../core/vocabulary.ts'
import type { RunDirectory } from '../runs/files/run-directory.ts'
import type { ReadLine } from './stream/entry.ts'

/** The agent's settings for one run, from its file or from the card. */
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
  /** The location of the skill: the data folder, a folder of the workspace, or elsewhere. */
  readonly at: 'home' | '.agents' | '.claude' | 'elsewhere'
  /** Whether a CLI can load the skill by name: its front matter is standard, and no other skill here has its name. */
  readonly isPlain: boolean
}

export interface Job {
  readonly agent: JobAgent
  /** The program to start, as the harness or the agent's file names it; null if the card is the program. */
  readonly program: string | null
  readonly task: Pick<Task, 'id' | 'board' | 'title' | 'body'>
  readonly run: RunId
  /** The number of the turn, from 1. Each turn of a run is a separate process. */
  readonly turn: number
  readonly directory: RunDirectory
  readonly workspace: string
  /** The instruction and the card as text; empty if the harness needs no briefing. */
  readonly briefing: string
  /** How the processes of the run reach the board; null if they cannot. */
  readonly socket: { readonly path: string; readonly nonce: string; readonly lateFolder: string } | null
  /** The command that serves the board's tools. */
  readonly shim: readonly string[]
  /** The command of the ACP client. */
  readonly acpClient: readonly string[]
  /** How long an ACP agent may take to open its session. */
  readonly sessionWaitMs: number
  readonly role: BoardRole
  /** The skills of the run. The adapter writes the files for those that the agent loads by name. */
  readonly skills?: readonly RunSkill[]
  /** Folders outside the workspace that the agent may read but not change (readable-folders.ts). */
  readonly readable?: readonly string[]
  /** The PATH to search. */
  readonly path: string | undefined
  /** The part of the user's environment that the agent may see. */
  readonly env: Environment
}

/** A user's file and the unwanted change that a program makes to it. Any other change stays. */
export interface UnwantedChange {
  readonly path: string
  readonly was: string
  readonly becomes: string
}

export interface Launch {
  readonly argv: readonly string[]
  /** Files to write into the run directory first. The default mode is 0600. */
  readonly files: readonly { readonly path: string; readonly content: string; readonly mode?: number }[]
  /** Links from the run directory to the user's own files. */
  readonly links?: readonly { readonly path: string; readonly target: string }[]
  /** Changes that the program makes to user files. They are undone. */
  readonly unwantedChanges?: readonly UnwantedChange[]
  /** The file that becomes the standard input of the program. */
  readonly stdin: string | null
  /** Variables in addition to those of every run. */
  readonly env?: Environment
}

/** The files and links that a program needs in the run directory. */
export type RunFiles = Required<Pick<Launch, 'files' | 'links'>>

/** A later turn of the same run. */
export interface Turn {
  /** The text that is sent instead of the briefing. */
  readonly message: string
  /** The CLI's id of the conversation; null if it reported none. */
  readonly session: string | null
}

/** Facts about a harness that are available without loading its adapter. */
export interface HarnessTraits {
  /** The program on the PATH; null if the agent's file names it, or the harness starts none. */
  readonly program: string | null
  /** An example of `args`, if the agent's file names the program. */
  readonly argsExample?: string
  /** Whether arguments may contain placeholders, such as `{task}`. */
  readonly fillsPlaceholders?: boolean
  /** Whether the started program itself reports for the run. Its environment then has the nonce. */
  readonly nonceInEnvironment: boolean
  readonly readsBriefing: boolean
  /** Whether the body of the card is the program. Its exit code then judges the card, not the agent. */
  readonly runsTheCard: boolean
  /** The meaning of exit 0, unless the agent's file sets it. */
  readonly onExit: OnExit
  /** Whether the program needs `provider/model`, or a provider beside the model. */
  readonly needsProvider?: boolean
  /** The efforts that the program accepts. If absent, efforts are not checked. */
  readonly efforts?: readonly string[]
}

/** How a harness starts its program and reads its output. Each adapter file exports one as `adapter`. */
export interface Adapter {
  /** The name under which the agent loads a skill. If it is null or absent, the text goes into the briefing. */
  nativeSkill?(skill: RunSkill): string | null
  /** Throws an error with a message for the user if the program cannot be started. */
  launch(job: Job): Launch
  /** The next turn of the same run; null if the agent cannot resume. Throws as `launch` does. */
  resume(job: Job, turn: Turn): Launch | null
  /**
   * Where the program keeps its sessions, as paths within the run directory. If absent, they are in the user's own
   * folders.
   */
  readonly sessionFiles?: readonly string[]
  /** Reads one line of the program's output; null if the output has no format. */
  readonly readLine: ReadLine | null
}

export type Harness = HarnessTraits & Adapter
