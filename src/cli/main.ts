/** Reads the line, runs the verb, reports how it went. Returns the exit code; nothing here ends the process. */
import { Command, CommanderError } from 'commander'
import { BoardError } from '../core/errors.ts'
import { Call } from './call.ts'
import type { CommonFlags } from './call.ts'
import { VERBS } from './commands.ts'
import { oneLine } from './escape.ts'
import { EXIT, exitCodeOf } from './exit-codes.ts'
import { isHelp, usageError } from './usage.ts'
import type { World } from './world.ts'

export async function main(world: World): Promise<number> {
  try {
    return await runVerb(world)
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return EXIT.done
    const fault = asBoardError(error)
    reportFault(world, fault, { json: wantsJson(world.argv) })
    return exitCodeOf(fault)
  }
}

async function runVerb(world: World): Promise<number> {
  let call: Call | undefined
  const begin = (): Call => {
    if (call === undefined) throw new Error('a verb began before its line was read')
    return call
  }
  const program = await buildProgram(world, begin)
  program.hook('preAction', async (_, command) => {
    call = await Call.begin(world, command.optsWithGlobals<CommonFlags>())
  })
  if (world.argv.length === 0) {
    program.outputHelp()
    return EXIT.done
  }
  await program.parseAsync(world.argv, { from: 'user' })
  return call?.exitCode ?? EXIT.done
}

/** All verbs are named, for help and for suggestions; only the one that is called gets its flags. */
async function buildProgram(world: World, begin: () => Call): Promise<Command> {
  const program = new Command('muster')
    .description('A board of tasks that coding agents work through.')
    .version(world.version, '-V, --version')
  prepare(program, world)
  const called = calledVerb(world.argv)
  for (const { name, summary, load } of VERBS) {
    const command = program.command(name).description(summary)
    prepare(command, world)
    if (name === called) (await load()).configure(command, begin)
  }
  return program
}

function prepare(command: Command, { stdout }: World): void {
  command
    .option('--board <slug>', 'the board (else MUSTER_BOARD, else the current one)')
    .option('--json', 'print one JSON value')
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // The same words come with the exception; they are printed once, in our form.
      writeErr: () => {},
    })
}

/** The first word that is not a flag or a flag's value; after `help`, the one that is asked about. */
export function calledVerb(argv: readonly string[]): string | undefined {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    if (word === '--board') at += 1
    else if (!word.startsWith('-') && word !== 'help') return word
  }
  return undefined
}

const wantsJson = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json')
}

function asBoardError(error: unknown): BoardError {
  if (error instanceof BoardError) return error
  if (error instanceof CommanderError) return usageError(error)
  const message = error instanceof Error ? error.message : String(error)
  return new BoardError('internal', `Something went wrong in Muster itself: ${message}`, { cause: error })
}

/** For people one sentence, for programs one value; never a stack. */
function reportFault({ stderr }: World, error: BoardError, { json }: { json: boolean }): void {
  stderr.write(json ? `${JSON.stringify({ error }, null, 2)}\n` : `muster: ${oneLine(error.message)}\n`)
}
