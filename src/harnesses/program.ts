import { findProgram } from '../processes/find-program.ts'
import type { Job } from './harness.ts'

/** Searched again: the program may have been removed since the claim. */
export function programPath({ agent, program, path }: Pick<Job, 'agent' | 'program' | 'path'>): string {
  const found = program === null ? null : findProgram(program, path)
  if (found === null)
    throw new Error(`The program ${program} of agent ${agent.name} is not there, or is not executable.`)
  return found
}
