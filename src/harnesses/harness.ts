/** The adapters that turn an agent and a card into a process. */
import type { Environment } from '../config/environment.ts'
import type { RunId } from '../core/ids.ts'
import type { Task } from '../core/task.ts'
import type { BoardRole, OnExit, Permissions } from '../core/vocabulary.ts'
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
  /** The program to start, as the harness or the agent's file names it; null if the card is the program. */
  readonly program: string | null
  readonly task: Pick<Task, 'id' | 'board' | 'title' | 'body'>
  readonly run: RunId
  /** Counted from 1: a run may have several, each a process of its own. */
  readonly turn: number
  readonly directory: RunDirectory
  readonly workspace: string
  /** The agent's instruction and the card, in words; empty where the harness reads none. */
  readonly briefing: string
  /** How the run's own processes reach their board; null: there is no way. */
  readonly socket: { readonly path: string; readonly nonce: string; readonly lateFolder: string } | null
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

/** What the rest of the program must know of a harness without loading its adapter. */
export interface HarnessTraits {
  /** The program on the PATH; null if the agent's file names it, or the harness starts none. */
  readonly program: string | null
  /** Set if the agent's file names the program: an example of its `args`. */
  readonly argsExample?: string
  /** Whether arguments may contain placeholders, such as `{task}`. */
  readonly fillsPlaceholders?: boolean
  /** Whether the started program speaks for the run itself, with the nonce in its environment. */
  readonly nonceInEnvironment: boolean
  readonly readsBriefing: boolean
  /** Whether the body of the card is the program: its exit code then rates the card, not the agent. */
  readonly runsTheCard: boolean
  /** What exit 0 means unless the agent's file sets it. */
  readonly onExit: OnExit
  /** Whether the program needs `provider/model`, or a provider beside the model. */
  readonly needsProvider?: boolean
  /** The efforts that the program accepts. Absent: any value, or a list for each model. */
  readonly efforts?: readonly string[]
}

/** How a harness starts its program and reads its output. Each adapter file exports one as `adapter`. */
export interface Adapter {
  /** The name under which the agent loads a skill; null, or absent: the text goes into the briefing. */
  nativeSkill?(skill: RunSkill): string | null
  /** Throws, with a sentence for the user, if the program cannot be started. */
  launch(job: Job): Launch
  /** The next turn of the same run; null if the agent cannot resume. Throws as `launch` does. */
  resume(job: Job, turn: Turn): Launch | null
  /** Where the program keeps its sessions, as paths within the run directory. Absent: in the user's own folders. */
  readonly sessionFiles?: readonly string[]
  /** Reads one line of the program's output; null if the output has no format. */
  readonly readLine: ReadLine | null
}

export type Harness = HarnessTraits & Adapter
