/** Sets the model and effort of a session, if its agent offers them. */
import { asList, asObject, asText } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import type { AcpJob } from './acp-job.ts'

type Wanted = Pick<AcpJob, 'model' | 'provider' | 'effort'>

/** A request to the agent, or a note that the agent does not offer the setting. */
export type AcpSetting =
  | {
      readonly method: 'session/set_config_option'
      readonly params: { readonly configId: string; readonly value: string }
    }
  /**
   * The older request for a model, from before session options existed. The SDK no longer has this request, but some
   * agents still use it.
   */
  | { readonly method: 'session/set_model'; readonly params: { readonly modelId: string } }
  | { readonly missing: string }

/** The requests that set model and effort. `answer` is the agent's answer when the session was opened. */
export function settingsFor(answer: Fields, { model, provider, effort }: Wanted): readonly AcpSetting[] {
  return [
    ...(model === null ? [] : [modelSetting(answer, provider === null ? [model] : [`${provider}/${model}`, model])]),
    ...(effort === null ? [] : [chosen(optionOf(answer, 'thought_level'), [effort]) ?? missing('effort', effort)]),
  ]
}

function modelSetting(answer: Fields, names: readonly string[]): AcpSetting {
  const option = chosen(optionOf(answer, 'model'), names)
  if (option !== null) return option
  const models = asList(asObject(answer['models'])?.['availableModels']).map((one) =>
    asText(asObject(one)?.['modelId']),
  )
  const modelId = names.find((name) => models.includes(name))
  return modelId === undefined ? missing('model', names[0] ?? '') : { method: 'session/set_model', params: { modelId } }
}

const missing = (what: string, name: string): AcpSetting => ({
  missing: `The agent does not offer the ${what} ${name} and uses its default.`,
})

const optionOf = (answer: Fields, category: string): Fields | null =>
  asList(answer['configOptions'])
    .map((one) => asObject(one) ?? {})
    .find((option) => option['category'] === category && option['type'] === 'select') ?? null

function chosen(option: Fields | null, names: readonly string[]): AcpSetting | null {
  const configId = asText(option?.['id'])
  const values = valuesIn(asList(option?.['options']))
  const value = names.find((name) => values.includes(name))
  return configId === null || value === undefined
    ? null
    : { method: 'session/set_config_option', params: { configId, value } }
}

/** Returns the values of all choices, including the choices inside groups. */
const valuesIn = (options: readonly unknown[]): readonly (string | null)[] =>
  options.flatMap((one) => {
    const { value, options: grouped } = asObject(one) ?? {}
    return grouped === undefined ? [asText(value)] : valuesIn(asList(grouped))
  })
