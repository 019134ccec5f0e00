import { ASSISTANT_NAMES } from '../../mcp-install/names.ts'
import os from 'node:os'
import { ASSISTANTS } from '../../mcp-install/index.ts'
import type { Assistant, ServerCommand } from '../../mcp-install/assistant.ts'
import { foldersToMake, readConfigFile, removeFolders, replaceConfigFile } from '../../mcp-install/config-file.ts'
import type { ConfigFile } from '../../mcp-install/config-file.ts'
import { lineDiff } from '../../mcp-install/line-diff.ts'
import { planInstall, planRemove } from '../../mcp-install/plan.ts'
import type { Plan } from '../../mcp-install/plan.ts'
import { keepRecord, recordOf } from '../../mcp-install/records.ts'
import { TextFault } from '../../mcp-install/text-fault.ts'
import type { Environment } from '../../config/environment.ts'
import { defaultHome, inHome } from '../../config/home.ts'
import type { Options } from '../../config/load.ts'
import { BoardError } from '../../core/errors.ts'
import { parseLocation } from '../../storage/location.ts'
import { findProgram } from '../../processes/find-program.ts'
import { defineOperation } from '../shared/operation.ts'

/** The number of attempts. An attempt fails if a running assistant writes its configuration at the same time. */
const TRIES = 5

/** Adds Muster's entry to the configuration of the user's assistant, or removes it. */
export const installTools = defineOperation({
  name: 'mcp install',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Add Muster’s MCP tools to your own assistant, or remove them.',
  schemas: ({ z, slug }) => ({
    input: z.object({
      assistant: z.enum(ASSISTANT_NAMES).describe('The assistant'),
      board: slug.optional().describe('The board of the tools; default: the current board when the assistant starts'),
      print: z.boolean().default(false).describe('Show the change without making it'),
      remove: z.boolean().default(false).describe('Remove the tools again'),
    }),
    output: z.object({
      assistant: z.enum(ASSISTANT_NAMES),
      /** The configuration file of the assistant. */
      file: z.string(),
      change: z.enum(['installed', 'updated', 'removed', 'none']),
      /**
       * Whether the file was changed. False if the file already had the right entry, or if the change was only shown.
       */
      written: z.boolean(),
      /** The lines that were removed and added. */
      diff: z.array(z.string()).readonly(),
      /** The path of the assistant's program. Null means that the program was not found. */
      program: z.string().nullable(),
      /** A variable that the user must set for the assistant, because its value is secret. */
      needs: z.string().nullable(),
    }),
  }),
  run: async ({ options, env, commandLine }, { assistant: name, board, print, remove }) => {
    if (commandLine === undefined) throw new BoardError('not_supported', 'This build of Muster cannot install tools.')
    const assistant = ASSISTANTS[name]
    const server = serverOf(commandLine, { options, board })
    for (let tries = 0; tries < TRIES; tries += 1) {
      const file = await chooseFile(assistant, env)
      const record = await recordOf(options.home, file.target)
      const plan = readable(file.path, () =>
        remove ? planRemove(assistant, file, record) : planInstall(assistant, server, file, record),
      )
      const isDone = print || (await applyPlan(options.home, file, plan))
      if (!isDone) continue
      return {
        assistant: name,
        file: file.path,
        change: plan.change,
        written: !print && plan.change !== 'none',
        diff: plan.change === 'none' ? [] : lineDiff(file.text ?? '', plan.after ?? ''),
        program: findProgram(assistant.program, env['PATH']),
        needs: remove ? null : (server.forward[0] ?? null),
      }
    }
    throw new BoardError(
      'store_busy',
      `${assistant.title} keeps changing its configuration file. Close it and try again.`,
    )
  },
})

/** The command that starts Muster with this data folder, in any environment. */
function serverOf(
  commandLine: readonly string[],
  { options: { home, store }, board }: { options: Options; board: string | undefined },
): ServerCommand {
  const [command = '', ...first] = commandLine
  const isElsewhere = store !== inHome.database(home)
  const isSecret = isElsewhere && hasPassword(store)
  return {
    command,
    args: [...first, 'mcp', ...(board === undefined ? [] : ['--board', board])],
    env: {
      ...(home === defaultHome() ? {} : { MUSTER_HOME: home }),
      ...(isElsewhere && !isSecret ? { MUSTER_STORE: store } : {}),
    },
    forward: isSecret ? ['MUSTER_STORE'] : [],
  }
}

function hasPassword(store: string): boolean {
  const location = parseLocation(store)
  return location.engine === 'postgres' && new URL(location.url).password !== ''
}

/** Chooses a configuration file: the file with Muster's entry, or else a file that exists, or else the first path. */
async function chooseFile({ files, format }: Assistant, env: Environment): Promise<ConfigFile> {
  const home = env['HOME'] ?? os.homedir()
  const all: ConfigFile[] = []
  for (const path of files(home, env)) {
    try {
      all.push(await readConfigFile(path))
    } catch (error) {
      throw error instanceof TextFault ? unreadable(path, error) : error
    }
  }
  const existing = all.filter(({ text }) => text !== null)
  const found = existing.find(({ path, text }) => readable(path, () => format.find(text)) !== null)
  const chosen = found ?? existing[0] ?? all[0]
  if (chosen === undefined) throw new BoardError('internal', 'This assistant has no configuration file.')
  return chosen
}

/**
 * Applies the change. The record is written before the configuration file, because an entry without a record could not
 * be removed exactly.
 */
async function applyPlan(home: string, file: ConfigFile, { change, after, record }: Plan): Promise<boolean> {
  const before = await recordOf(home, file.target)
  const folders = [...(await foldersToMake(file)), ...(before?.folders ?? [])]
  if (change !== 'none') {
    if (record !== null) await keepRecord(home, file.target, { ...record, folders })
    if (!(await replaceConfigFile(file, after))) return false
  }
  if (record === null) await keepRecord(home, file.target, null)
  if (change === 'removed' && after === null) await removeFolders(folders)
  return true
}

function readable<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof TextFault ? unreadable(path, error) : error
  }
}

const unreadable = (path: string, { line, message }: TextFault): BoardError =>
  new BoardError('config_unreadable', `${path}, line ${line}: ${message}. Nothing was changed; fix the file first.`, {
    details: { path, line },
  })
