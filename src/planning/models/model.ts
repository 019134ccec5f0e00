/**
 * The models that plan work, judge results and describe agents. config.yaml chooses them. A model never gets tools, and
 * the caller checks every answer.
 */
import { ownEnvironment } from '../../config/environment.ts'
import type { Environment } from '../../config/environment.ts'
import { inHome } from '../../config/home.ts'
import { readModels } from '../../config/models.ts'
import type { ModelChoice } from '../../config/models.ts'
import { failure } from './answer.ts'
import type { Model, ModelFailure, ModelRole, Transport } from './answer.ts'

export type {
  Model,
  ModelAnswer,
  ModelFailure,
  ModelFailureKind,
  ModelQuestion,
  ModelRole,
  ModelUsage,
} from './answer.ts'

export interface ModelPlace {
  /** The data folder, whose config.yaml chooses the model. */
  readonly home: string
  /** The environment with the keys of the models. */
  readonly env?: Environment
}

/** Opens the model for a role. config.yaml is read at the first question. */
export function openModel(role: ModelRole, { home, env = ownEnvironment() }: ModelPlace): Model {
  let opening: Promise<Transport | ModelFailure> | undefined
  return {
    ask: async (question) => {
      opening ??= openTransport(role, { home, env })
      const transport = await opening
      if ('ok' in transport) return transport
      const { askModel } = await import('./ask-model.ts')
      return askModel(transport, question)
    },
  }
}

/**
 * Returns why the model of a role cannot be used: it is not set, or its key is missing. Null means that it can be used.
 */
export async function modelFault(
  role: ModelRole,
  { home, env = ownEnvironment() }: ModelPlace,
): Promise<string | null> {
  const transport = await openTransport(role, { home, env })
  return 'ok' in transport ? transport.message : null
}

async function openTransport(role: ModelRole, { home, env }: Required<ModelPlace>): Promise<Transport | ModelFailure> {
  const { choices, faults } = await readModels(home)
  const fault = faults[role] ?? (choices[role] === undefined ? faults.planner : undefined)
  if (fault !== undefined) return failure('unconfigured', `${fault}.`)
  const choice = choices[role]
  if (choice === undefined)
    return failure(
      'unconfigured',
      `No ${role} model is set. Add models.${role === 'judge' ? 'judge' : 'planner'} to ${inHome.config(home)}, for example: models: { planner: { cli: claude } }`,
    )
  const key = keyOf(choice, env)
  if (typeof key !== 'string' && key !== null) return key
  if ('cli' in choice) return (await import('./cli-model.ts')).cliModel(choice, env)
  return (await import('./endpoint.ts')).endpointModel(choice, key)
}

function keyOf({ section, keyEnv }: ModelChoice, env: Environment): string | null | ModelFailure {
  if (keyEnv === null) return null
  const key = env[keyEnv]?.trim() ?? ''
  if (key === '')
    return failure(
      'unconfigured',
      `${section} reads its key from ${keyEnv}, which is not set. Set it where Muster runs.`,
    )
  if (/[^\u0021-\u007E]/.test(key))
    return failure(
      'unconfigured',
      `The key in ${keyEnv} has characters that no key has. Set it again, without quotes or line breaks.`,
    )
  return key
}
