import type { Environment } from '../../config/environment.ts'
import { CLI_NAMES } from './clis.ts'
import type { CliName } from './clis.ts'
import { findProgram } from '../../processes/find-program.ts'
import { harnessOf } from '../index.ts'

export interface FoundCli {
  readonly name: CliName
  /** The path of the CLI's program. Null means that the program is not on the PATH. */
  readonly program: string | null
}

/** Every CLI for which Muster has an adapter, installed or not. */
export const findClis = (env: Environment): readonly FoundCli[] =>
  CLI_NAMES.map((name) => ({ name, program: findProgram(harnessOf({ harness: name }).program ?? name, env['PATH']) }))
