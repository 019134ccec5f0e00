/** The interfaces between a run and the adapter of its agent CLI. */
import type { Environment } from '../config/environment.ts'
import type { RunId } from '../core/ids.ts'
import type { Task } from '../core/task.ts'
import type { BoardRole, OnExit, Permissions } from '../core/vocabulary.ts'
import type { RunDirectory } from '../runs/files/run-directory.ts'
import type { ReadLine } from './stream/entry.ts'

/** The settings of the agent for one run. They come from the agent's file or from the card. */
export interface JobAgent {
  readonly name: string
  /** The program of a `command` or `acp` agent and its arguments. The arguments may have placeholders. */
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
  /**
   * Whether a CLI can load the skill by name. The skill must have standard front matter, and no other skill of the card
   * may have the same name.
   */
  readonly isPlain: boolean
}

export interface Job {
  readonly agent: JobAgent
  /** The program that the harness or the agent's file names. Null means that the body of the card is the program. */
  readonly program: string | null
  readonly task: Pick<Task, 'id' | 'board' | 'title' | 'body'>
  readonly run: RunId
  /** The number of the turn, from 1. Each turn of a run is a separate process. */
  readonly turn: number
  readonly directory: RunDirectory
  readonly workspace: string
  /** The instruction and the card as text. Empty means that the harness needs no briefing. */
  readonly briefing: string
  /** The socket through which the processes of the run use the board. Null means that they cannot use the board. */
  readonly socket: { readonly path: string; readonly nonce: string; readonly lateFolder: string } | null
  /** The command that serves the board's tools. */
  readonly shim: readonly string[]
  /** The command of the ACP client. */
  readonly acpClient: readonly string[]
  /** The time within which an ACP agent must open its session. */
  readonly sessionWaitMs: number
  readonly role: BoardRole
  /** The skills of the run. The adapter writes files for the skills that the agent loads by name. */
  readonly skills?: readonly RunSkill[]
  /** Folders outside the workspace that the agent may read but not change (readable-folders.ts). */
  readonly readable?: readonly string[]
  /** The value of PATH in which to search for programs. */
  readonly path: string | undefined
  /** The part of the user's environment that the agent may see. */
  readonly env: Environment
}

/** A change that a program makes to a file of the user, and that Muster must undo. Other changes of the file stay. */
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
  /** The changes that the program makes to files of the user. Muster undoes them. */
  readonly unwantedChanges?: readonly UnwantedChange[]
  /** The file that becomes the standard input of the program. */
  readonly stdin: string | null
  /** Additional environment variables for the program. */
  readonly env?: Environment
}

/** The files and links that a program needs in the run directory. */
export type RunFiles = Required<Pick<Launch, 'files' | 'links'>>

/** A later turn of the same run. */
export interface Turn {
  /** The text that is sent instead of the briefing. */
  readonly message: string
  /** The id that the CLI gave to the conversation. Null means that the CLI reported no id. */
  readonly session: string | null
}

/** The facts about a harness that Muster knows without loading its adapter. */
export interface HarnessTraits {
  /**
   * The program to search for on the PATH. Null means that the agent's file names the program, or that the harness
   * starts no program.
   */
  readonly program: string | null
  /** An example of `args`, if the agent's file names the program. */
  readonly argsExample?: string
  /** Whether the arguments may contain placeholders, such as `{task}`. */
  readonly fillsPlaceholders?: boolean
  /**
   * Whether the started program reports the result itself, without MCP tools. Its environment then contains the run's
   * secret (nonce).
   */
  readonly nonceInEnvironment: boolean
  readonly readsBriefing: boolean
  /** Whether the body of the card is the program. If so, a failure is a failure of the card and not of the agent. */
  readonly runsTheCard: boolean
  /** The meaning of exit code 0, unless the agent's file sets another meaning. */
  readonly onExit: OnExit
  /** Whether the model must be given as `provider/model`, or with a separate provider. */
  readonly needsProvider?: boolean
  /** The efforts that the program accepts. If this is absent, Muster does not check efforts. */
  readonly efforts?: readonly string[]
}

/** Starts the program of a harness and reads its output. Each adapter file exports one adapter. */
export interface Adapter {
  /**
   * The name under which the agent loads a skill. If it is null or absent, the briefing contains the text of the skill.
   */
  nativeSkill?(skill: RunSkill): string | null
  /** Builds the first turn. Throws an error with a message for the user if the program cannot be started. */
  launch(job: Job): Launch
  /**
   * Builds the next turn of the same run. Returns null if the agent cannot resume. Throws the same errors as `launch`.
   */
  resume(job: Job, turn: Turn): Launch | null
  /**
   * The paths at which the program keeps its sessions, within the run directory. If this is absent, the sessions are in
   * the user's own folders.
   */
  readonly sessionFiles?: readonly string[]
  /** Parses one line of the program's output. Null means that the output has no format. */
  readonly readLine: ReadLine | null
}

export type Harness = HarnessTraits & Adapter
