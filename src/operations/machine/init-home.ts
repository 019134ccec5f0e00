import { basename } from 'node:path'
import { DEFAULT_BOARD } from '../../config/load.ts'
import { inHome, makePrivateFolder } from '../../config/home.ts'
import { unwrap } from '../../core/command.ts'
import { describeLocation, parseLocation } from '../../storage/location.ts'
import { cliAgentText } from '../../agents/agent-texts.ts'
import { CLI_NAMES, CLIS } from '../../harnesses/detect/clis.ts'
import { faultText } from '../../agents/front-matter.ts'
import { findClis } from '../../harnesses/detect/find-clis.ts'
import { readRoster } from '../../agents/roster.ts'
import type { BrokenFile } from '../../agents/roster.ts'
import { writeAgentFile } from '../agents/agent-file.ts'
import type { LocalContext } from '../shared/operation.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'

const schemas = ({ z, slug }: SchemaKit) => ({
  input: z.object({ board: slug.describe('Another board to create').optional() }),
  output: z.object({
    home: z.string(),
    /** The location of the store, without its password. */
    store: z.string(),
    board: slug,
    /** Whether the command created anything. False means that everything existed already. */
    created: z.boolean(),
    /** All known agent CLIs, each with the agent file that was written for it. */
    clis: z
      .array(
        z.object({
          name: z.enum(CLI_NAMES),
          /** The path of the CLI. Null means that the CLI was not found. */
          program: z.string().nullable(),
          /** The file of the agent with the name of the CLI. Null means that the CLI was not found. */
          file: z.string().nullable(),
          /** Whether the file was written now. An existing file is not changed. */
          written: z.boolean(),
          /** The reason why an existing file cannot be used. */
          problem: z.string().nullable(),
          /** Whether the adapter of the CLI was tested with the real program. */
          isProved: z.boolean(),
        }),
      )
      .readonly(),
  }),
})

export type MadeHome = OutputOf<typeof schemas>

/** Creates the missing parts of the data folder. A second call changes nothing. */
export const initHome = defineOperation({
  name: 'init',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Create the data folder, a board, and an agent for each installed agent CLI.',
  schemas,
  run: async (context, { board = DEFAULT_BOARD }) => {
    const { home, store: location } = context.options
    const made = await makePrivateFolder(home)
    await makePrivateFolder(inHome.agents(home))
    const store = await context.openStore('create')
    try {
      const first = await makeBoard(context, store, DEFAULT_BOARD)
      const other = board !== DEFAULT_BOARD && (await makeBoard(context, store, board))
      const clis = await addCliAgents(context)
      return { home, store: describeLocation(parseLocation(location)), board, created: made || first || other, clis }
    } finally {
      await store.close({ exiting: context.endsAfter ?? false })
    }
  },
})

async function makeBoard(
  { actor }: LocalContext,
  store: Awaited<ReturnType<LocalContext['openStore']>>,
  slug: string,
): Promise<boolean> {
  if ((await store.board(slug)) !== null) return false
  return unwrap(await store.decide({ verb: 'create_board', board: slug, actor, input: { slug } })).created
}

const faultIn = (broken: BrokenFile | undefined): string | null => {
  const [fault] = broken?.faults ?? []
  return broken === undefined || fault === undefined ? null : faultText(basename(broken.file), fault)
}

/** Adds an agent for each installed CLI, so that cards can name the CLI as their assignee. */
async function addCliAgents({ options: { home }, env }: LocalContext): Promise<MadeHome['clis']> {
  const clis: MadeHome['clis'][number][] = []
  const { broken } = await readRoster(home, env)
  for (const { name, program } of findClis(env)) {
    const agent = program === null ? null : await writeAgentFile(home, name, cliAgentText(name, env))
    clis.push({
      name,
      program,
      file: agent?.file ?? null,
      written: agent?.written ?? false,
      problem: agent === null ? null : faultIn(broken.get(name)),
      isProved: CLIS[name].proved !== null,
    })
  }
  return clis
}
