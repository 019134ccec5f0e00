/**
 * Parses the command line, runs the command and reports errors. Returns the exit code. This code never ends the process
 * itself.
 */
import { BoardError, asBoardError } from '../core/errors.ts'
import { Invocation } from './invocation.ts'
import { jsonText, oneLine } from './output/escape.ts'
import { EXIT, Printer, exitCodeOf } from './output/printer.ts'
import { errorText } from './render/message.ts'
import { withColor } from './output/with-color.ts'
import type { CommandEntry, CommandKey } from './manifest-entry.ts'
import { commandPosition, findCommand, unknownCommand } from './find-command.ts'
import { asTyped } from './output/as-typed.ts'
import { commonValues } from './common-flags.ts'
import type { OutputChoice } from './common-flags.ts'
import { readValues, splitFor } from './parse.ts'
import { COMMAND_INDEX } from './command-index.ts'
import type { CommandOutput, CliCommand } from './command.ts'
import type { World } from './world.ts'

/** The name of a command that the scripts of `muster completion` call. Help does not list it. */
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
  // The cast drops the types of the values. Only the command's own file knows these types.
  const command = (await entry.load()).command as unknown as CliCommand
  const line = splitFor(entry.name, command, argv)
  const common = commonValues(line.flags)
  const world = withColor(givenWorld, common.color)
  if (common.help) return printOutput(world, common, await helpOn(world, called))
  const values = await readValues(entry.name, command, line, world)
  if (command.longRunning === true) world.holdCode?.()
  if (command.output !== undefined)
    return printOutput(world, common, await command.output(values, await manifest(), world))
  const named = { ...command, name: entry.name }
  return invoke(world, await Invocation.begin(world, common, named), async (cli) => command.run?.(cli, values))
}

/**
 * Whether to show the summary of all boards: `muster` on a terminal, alone or with the flags that choose a server and a
 * board. Inside a run, `muster` alone prints help, as in a pipe.
 */
const isBare = ({ argv, terminal, env }: World): boolean =>
  terminal !== null && env['MUSTER_RUN'] === undefined && (argv.length === 0 || namesOnlyServer(argv))

const namesOnlyServer = (argv: readonly string[]): boolean =>
  commandPosition(argv) === argv.length &&
  argv.some((word) => /^--url(=|$)/.test(word)) &&
  argv.every((word) => !word.startsWith('-') || /^(--url|--board|-b)(=|$)/.test(word))

async function showHome(world: World): Promise<number> {
  const { homeScreen } = await import('./home-screen.ts')
  const { flags } = splitFor('help', {}, world.argv)
  return invoke(world, await Invocation.begin(world, commonValues(flags), {}), homeScreen)
}

async function invoke(world: World, invocation: Invocation, run: (cli: Invocation) => Promise<void>): Promise<number> {
  try {
    await run(invocation)
  } catch (error) {
    // If closing fails too, only the command's own error is reported.
    await invocation.close(ending(world)).catch(() => {})
    throw invocation.hasChanged ? afterChange(error) : error
  }
  await closeAnswered(world, invocation)
  return invocation.exitCode
}

const ending = ({ endsAfter = false }: World): { exiting: boolean } => ({ exiting: endsAfter })

/** Closes the store after the answer is printed. An error is only a warning, because the change is committed. */
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
 * The error if the change was stored but its output failed. The message mentions the change, because a repeated command
 * would make the change twice.
 */
function afterChange(error: unknown): unknown {
  if (!(error instanceof BoardError) || error.code !== 'output_failed') return error
  const { message, details, cause } = error
  return new BoardError('output_failed', `${message} The command itself succeeded.`, { details, cause })
}

/** Loads the manifest, which only help and completion need. */
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

/** Prints an error as one sentence for people, or as one JSON value. A stack trace is never printed. */
function reportFault(world: World, error: BoardError, { json }: { json: boolean }): void {
  const text = json
    ? jsonText({ error }, 2)
    : asTyped(errorText(error, world.errorTerminal?.() ?? null), world.env['MUSTER_PROGRAM'])
  world.stderr.write(`${text}\n`)
}
