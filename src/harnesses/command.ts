/**
 * Starts the program in the agent's file without a shell, so nothing in a card is read as a command. The program gets
 * the briefing on standard input, or as a file if an argument asks for a file. A later turn starts the program again
 * and sends a message instead of the briefing.
 */
import type { Adapter, Job, Launch } from './harness.ts'
import { toolsFile } from './mcp-entry.ts'
import { programPath } from './cli-adapter.ts'
import { fillPlaceholders, placeholdersIn } from './placeholders.ts'
import type { Placeholder } from './placeholders.ts'

export const adapter: Adapter = {
  launch: launchCommand,
  resume: (job, { message }) => launchCommand({ ...job, briefing: message }),
  readLine: null,
}

function launchCommand(job: Job): Launch {
  const { args } = job.agent
  const used = placeholdersIn(args)
  const values = valuesOf(job)
  const rest = args.slice(1).map((argument) => fillPlaceholders(argument, values))
  const byFile = used.has('briefingFile')
  return {
    argv: [programPath(job), ...rest],
    files: filesOf(job).filter(({ placeholder }) => placeholder === 'briefingFile' || used.has(placeholder)),
    stdin: byFile ? null : job.directory.briefing,
  }
}

const valuesOf = ({ task, run, turn, directory, workspace }: Job): Readonly<Record<Placeholder, string>> => ({
  body: task.body ?? '',
  bodyFile: directory.bodyText,
  briefingFile: directory.briefing,
  mcp: directory.mcp,
  run,
  task: task.id,
  title: task.title,
  turn: String(turn),
  workspace,
})

const filesOf = (job: Job): readonly (Launch['files'][number] & { readonly placeholder: Placeholder })[] => [
  { placeholder: 'bodyFile', path: job.directory.bodyText, content: job.task.body ?? '' },
  { placeholder: 'briefingFile', path: job.directory.briefing, content: job.briefing },
  { placeholder: 'mcp', path: job.directory.mcp, content: toolsFile(job) },
]
