/** The adapters that turn an agent and a card into a process. */
import type { Task } from '../core/task.ts'
import type { Agent } from './agent.ts'
import type { RunDirectory } from './run-directory.ts'

interface Job {
  readonly agent: Pick<Agent, 'name'>
  readonly task: Task
  readonly directory: RunDirectory
}

interface Launch {
  readonly argv: readonly string[]
  /** Files of the run directory that must be there first. */
  readonly files: readonly { readonly path: string; readonly content: string; readonly mode: number }[]
}

export interface Harness {
  /** Whether a run that ends without a word is complete when it exits 0, or owes a verdict. */
  readonly completesOnExit: boolean
  /** Whether what it starts may itself speak for the run, by the nonce in its environment. */
  readonly nonceInEnvironment: boolean
  /** Why this card cannot be started as it stands; null when it can. Asked before the claim, so it costs no attempt. */
  faultIn(task: Pick<Task, 'id' | 'body'>): string | null
  launch(job: Job): Launch
}
