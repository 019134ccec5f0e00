/**
 * Parses the command line, runs the command and reports errors. Returns the exit code; nothing here ends the process.
 */
import { BoardError, asBoardError } from '../core/errors.ts'
import { Invocation } from './invocation.ts'
import { jsonText, oneLine } from './output/escape.ts'
import { EXIT, Printer, exitCodeOf } from './output/printer.ts'
import { errorText } from './render/message.ts'
import { withColor } from './output/with-color.ts'
import type { CommandEntry, CommandKey } from './manifest-entry.ts'
import { findCommand, unknownCommand } from './find-command.ts'
import { asTyped } from './output/as-typed.ts'
import { commonValues } from './common-flags.ts'
import type { OutputChoice } from './common-flags.ts'
import { readValues, splitFor } from './parse.ts'
import { COMMAND_INDEX } from './command-index.ts'
import type { CommandOutput, CliCommand } from './command.ts'
import type { World } from './world.ts'

/** Called by the scripts of `muster completion`, so help does not list it. */
const COMPLETE = '__complete'

export async function main(world: World): Promise<number> {
  try {
    return await runArguments(world)
  } catch (error) {
    const fault = asBoardError(error)
    reportFault(world, fault, { json: wantsJson(world.argv) })
    return exitCodeOf(fault)
  }
}

async function runArguments(world: World): Promise<number> {
  const [first, ...words] = world.argv
  if (first === COMPLETE) {
    const { completeWords } = await import('./completion/complete-words.ts')
    return completeWords(world, await manifest(), words)
  }
  if (isBare(world)) return showHome(world)
  const { entry, called, rest, version } = findCommand(COMMAND_INDEX, world.argv)
  if (version) {
    world.stdout.write(`${world.version}\n`)
    return EXIT.done
  }
  if (entry === null) throw unknownCommand(COMMAND_INDEX, rest)
  return runCommand(world, entry, { called, argv: rest })
}

async function runCommand(
  givenWorld: World,
  entry: CommandKey,
  { called, argv }: { called: string; argv: readonly string[] },
): Promise<number> {
  // The cast drops the types of the values, which only the command's own file knows.
  const command = (await entry.load()).command as unknown as CliCommand
  const line = splitFor(entry.name, command, argv)
  const common = commonValues(line.flags)
  const world = withColor(givenWorld, common.color)
  if (common.help) return printOutput(world, common, await helpOn(world, called))
  const values = await readValues(entry.name, command, line, world)
  if (command.longRunning === true) world.holdCode?.()
  if (command.output !== undefined)
    return printOutput(world, common, await command.output(values, await manifest(), world))
  return invoke(world, await Invocation.begin(world, common, command), async (cli) => command.run?.(cli, values))
}

/** `muster` alone on a terminal. Inside a run it prints help, as in a pipe. */
const isBare = ({ argv, terminal, env }: World): boolean =>
  argv.length === 0 && terminal !== null && env['MUSTER_RUN'] === undefined

async function showHome(world: World): Promise<number> {
  const { homeScreen } = await import('./home-screen.ts')
  return invoke(world, await Invocation.begin(world, commonValues(new Map()), {}), homeScreen)
}

async function invoke(world: World, invocation: Invocation, run: (cli: Invocation) => Promise<void>): Promise<number> {
  try {
    await run(invocation)
  } catch (error) {
    await invocation.close(ending(world)).catch(() => {}) // The first error is reported, not an error of closing.
    throw invocation.hasChanged ? afterChange(error) : error
  }
  await closeAnswered(world, invocation)
  return invocation.exitCode
}

const ending = ({ endsAfter = false }: World): { exiting: boolean } => ({ exiting: endsAfter })

/** The change is committed and the answer is printed, so a store that does not close cleanly is only a warning. */
async function closeAnswered(world: World, invocation: Invocation): Promise<void> {
  try {
    await invocation.close(ending(world))
  } catch (error) {
    const { code, message, details } = asBoardError(error)
    if (invocation.json) world.stderr.write(`${jsonText({ warning: { code, message, details } }, 2)}\n`)
    else
      world.stderr.write(
        `muster: warning: the command succeeded, but the store did not close cleanly: ${oneLine(message)}\n`,
      )
  }
}

/**
 * The change was stored and only the output failed. The message mentions this, because repeating the command would make
 * the change twice.
 */
function afterChange(error: unknown): unknown {
  if (!(error instanceof BoardError) || error.code !== 'output_failed') return error
  const { message, details, cause } = error
  return new BoardError('output_failed', `${message} The command itself succeeded.`, { details, cause })
}

/** Loaded only for help and completion. */
const manifest = async (): Promise<readonly CommandEntry[]> => (await import('./manifest.ts')).MANIFEST

async function helpOn({ terminal }: World, called: string): Promise<CommandOutput> {
  const [{ helpFor }, { helpWidth }] = await Promise.all([import('./help.ts'), import('./help-table.ts')])
  return helpFor(await manifest(), called.split(' '), helpWidth(terminal))
}

function printOutput(world: World, choice: OutputChoice, { value, text }: CommandOutput): number {
  new Printer(world, choice).answer(value, text.trimEnd())
  return EXIT.done
}

const wantsJson = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => /^--(json(=|$)|iso$)/.test(word))
}

/** Prints one sentence for people or one JSON value, never a stack trace. */
function reportFault(world: World, error: BoardError, { json }: { json: boolean }): void {
  const text = json
    ? jsonText({ error }, 2)
    : asTyped(errorText(error, world.errorTerminal?.() ?? null), world.env['MUSTER_PROGRAM'])
  world.stderr.write(`${text}\n`)
}
