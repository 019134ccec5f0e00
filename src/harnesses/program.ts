import { findProgram } from '../processes/find-program.ts'
import type { Job } from './harness.ts'

/** Searched again: the program may have been removed since the claim. */
export function programPath({ agent, program, path }: Pick<Job, 'agent' | 'program' | 'path'>): string {
  const found = program === null ? null : findProgram(program, path)
  if (found === null) throw new Error(`Agent ${agent.name} needs ${program}, which is not installed or not executable.`)
  return found
}
