import { findProgram } from '../processes/find-program.ts'
import type { Job } from './harness.ts'

/** Where the program of an agent lies. Looked for again: between the claim and now it may have gone. */
export function programOf({ agent, path }: Pick<Job, 'agent' | 'path'>, named: string): string {
  const found = findProgram(named, path)
  if (found === null) throw new Error(`The program ${named} of agent ${agent.name} is not there, or is not executable.`)
  return found
}
