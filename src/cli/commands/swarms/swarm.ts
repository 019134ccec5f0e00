import { BoardError } from '../../../core/errors.ts'
import { createSwarm } from '../../../operations/swarms/create-swarm.ts'
import type { OperationInput } from '../../../operations/shared/operation.ts'
import { createFlags } from '../../card-flags.ts'
import { defineCommand } from '../../command.ts'
import type { Flag } from '../../command.ts'
import * as flag from '../../flags.ts'
import { oneLine } from '../../output/escape.ts'
import { memberLines } from '../../render/swarm.ts'
import { parseWorker } from '../../parse-worker.ts'

const { tenant, priority, label, session, workspace, idempotencyKey } = createFlags as Readonly<
  Record<'tenant' | 'priority' | 'label' | 'session' | 'workspace' | 'idempotencyKey', Flag<unknown>>
>

type Workers = OperationInput<typeof createSwarm>['workers']

const worker: Flag<Workers> = {
  value: '<fields>',
  describe: 'a worker, such as agent=claude,title=Read the logs,skills=sql (also body, priority); repeat it for more',
  brief: 'a worker with its own title',
  repeatable: true,
  read: (given) => given.map(parseWorker),
}

const workers: Flag<Workers> = {
  value: '<agents>',
  describe: 'the agents of the workers, separated by commas: claude,codex',
  brief: 'agents, such as claude,codex',
  repeatable: false,
  completes: 'agent',
  read: (given) =>
    (given.at(-1) ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => parseWorker(`agent=${name}`)),
}

export const command = defineCommand({
  group: 'cards',
  operation: createSwarm,
  args: { goal: { ...flag.joinedArguments('what the swarm must reach'), field: 'goal' } },
  flags: {
    workers,
    worker: flag.filling('workers', worker),
    verifier: flag.agent('the agent that approves the work, or requests changes'),
    synthesizer: flag.agent('the agent that combines the approved work'),
    tenant,
    priority,
    label,
    session,
    workspace,
    idempotencyKey,
  },
  brief: 'Create workers, a verifier and a synthesizer for one goal',
  examples: [
    'muster swarm "Compare three parsers" --workers claude,codex --verifier claude --synthesizer codex',
    'muster swarm "Audit the API" --worker agent=claude,title=Routes --worker agent=codex,title=Tests --verifier claude --synthesizer claude',
  ],
  run: async (cli, { goal, workers: named, worker: detailed, verifier, synthesizer, ...given }) => {
    const fields: Readonly<Record<string, unknown>> = given
    const all = [...(named ?? []), ...(detailed ?? [])]
    const swarm = await cli.ask(createSwarm, {
      goal: required(goal, '<goal>'),
      workers: required(all.length === 0 ? undefined : all, '--workers'),
      verifier: required(verifier, '--verifier'),
      synthesizer: required(synthesizer, '--synthesizer'),
      tenant: fields['tenant'] ?? null,
      priority: fields['priority'] ?? 0,
      labels: fields['label'] ?? [],
      session: fields['session'] ?? null,
      workspace: fields['workspace'] ?? null,
      idempotencyKey: fields['idempotencyKey'] ?? null,
      // The cast is safe, because the table of card fields gives each flag the type of its field.
    } as OperationInput<typeof createSwarm>)
    cli.answer(swarm, memberLines(swarm.members).join('\n'))
    if (cli.json) return
    for (const warning of swarm.warnings) cli.notice(oneLine(warning))
    if (swarm.created) return cli.notice(`Created a swarm. Its blackboard: muster blackboard ${swarm.rootId}`)
    cli.notice('A swarm with this key already exists.')
    if (swarm.differs.length > 0) cli.notice(`It has a different ${swarm.differs.join(', ')}.`)
  },
})

function required<T>(value: T | undefined, name: string): T {
  if (value !== undefined) return value
  throw new BoardError('invalid_input', `muster swarm needs ${name}. For help: muster swarm --help`)
}
