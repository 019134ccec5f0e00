/** Reads the line, runs the verb, reports how it went. Returns the exit code; nothing here ends the process. */
import { BoardError } from '../core/errors.ts'
import { Call } from './call.ts'
import { oneLine } from './escape.ts'
import { EXIT, exitCodeOf } from './exit-codes.ts'
import { MANIFEST } from './manifest.ts'
import type { VerbEntry } from './manifest-entry.ts'
import { findVerb, unknownVerb } from './find-verb.ts'
import { commonFlags, readValues, splitFor } from './parse.ts'
import type { Verb } from './verb.ts'
import type { World } from './world.ts'

export async function main(world: World): Promise<number> {
  try {
    return await runLine(world)
  } catch (error) {
    const fault = asBoardError(error)
    reportFault(world, fault, { json: wantsJson(world.argv) })
    return exitCodeOf(fault)
  }
}

async function runLine(world: World): Promise<number> {
  const { entry, rest, help, version } = findVerb(MANIFEST, world.argv)
  if (version) world.stdout.write(`${world.version}\n`)
  else if (entry === null && rest.length > 0) throw unknownVerb(MANIFEST, rest)
  else if (entry === null || help) await printHelp(world, entry)
  else return runVerb(world, entry, rest)
  return EXIT.done
}

async function runVerb(world: World, entry: VerbEntry, argv: readonly string[]): Promise<number> {
  // What a verb takes is known to its own file alone; here it is a record of whatever was read.
  const verb = (await entry.load()).verb as unknown as Verb
  const line = splitFor(entry.name, verb, argv)
  const common = commonFlags(line)
  if (common.help) {
    await printHelp(world, entry)
    return EXIT.done
  }
  const values = await readValues(entry.name, verb, line, world)
  const call = await Call.begin(world, common, { makesHome: verb.makesHome ?? false })
  try {
    await verb.run(call, values as never)
  } finally {
    await call.close()
  }
  return call.exitCode
}

/** The texts are made only for those who ask. */
async function printHelp(world: World, entry: VerbEntry | null): Promise<void> {
  const { programHelp, verbHelp } = await import('./help.ts')
  world.stdout.write(entry === null ? programHelp(MANIFEST) : verbHelp(entry))
}

const wantsJson = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json')
}

function asBoardError(error: unknown): BoardError {
  if (error instanceof BoardError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new BoardError('internal', `Something went wrong in Muster itself: ${message}`, { cause: error })
}

/** For people one sentence, for programs one value; never a stack. */
function reportFault({ stderr }: World, error: BoardError, { json }: { json: boolean }): void {
  stderr.write(json ? `${JSON.stringify({ error }, null, 2)}\n` : `muster: ${oneLine(error.message)}\n`)
}
