import { createHash } from 'node:crypto'
import { unwrap } from '../core/command.ts'
import { readRoster } from '../workers/roster.ts'
import { cardNow } from './act-on-card.ts'
import { defineOperation } from './operation.ts'
import { resolveTask } from './resolve-task.ts'

/** Approves what was read here and nothing else: a card that changed meanwhile is refused. */
export const approveCommands = defineOperation({
  name: 'approve-commands',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Let the commands run that an agent wrote on a card.',
  schemas: () => import('./approve-commands.schema.ts'),
  run: async ({ store, actor, options }, { task: typed }) => {
    const address = await resolveTask(store, typed)
    const { body, checks, assignee } = await cardNow(store, address)
    const shown = { body, checks }
    const hash = createHash('sha256').update(JSON.stringify(shown)).digest('hex')
    const input = { task: address.id, shown, hash }
    unwrap(await store.decide({ verb: 'approve_commands', board: address.board, actor, input }))
    const commands = { body: (await runsItsBody(options.home, assignee)) ? body : null, checks }
    return { task: await cardNow(store, address), commands, hash }
  },
})

const runsItsBody = async (home: string, assignee: string | null): Promise<boolean> =>
  assignee !== null && (await readRoster(home)).agents.get(assignee)?.harness === 'shell'
