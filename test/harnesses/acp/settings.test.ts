import { expect, test } from 'vitest'
import { settingsFor } from '../../../src/harnesses/acp/settings.ts'

const NONE = { model: null, provider: null, effort: null }
const select = (id: string, category: string, ...values: readonly string[]) => ({
  id,
  category,
  type: 'select',
  options: values.map((value) => ({ value, name: value })),
})

test('a setting without a value is not sent', () => {
  expect(settingsFor({ configOptions: [select('m', 'model', 'large')] }, NONE)).toEqual([])
})

test('model and effort are set even if their session options have other ids', () => {
  const answer = { configOptions: [select('m', 'model', 'here/large'), select('t', 'thought_level', 'high')] }
  expect(settingsFor(answer, { model: 'large', provider: 'here', effort: 'high' })).toEqual([
    { method: 'session/set_config_option', params: { configId: 'm', value: 'here/large' } },
    { method: 'session/set_config_option', params: { configId: 't', value: 'high' } },
  ])
  expect(settingsFor(answer, { ...NONE, model: 'here/large' })).toMatchObject([{ params: { value: 'here/large' } }])
})

test('a setting that the agent does not offer is noted in the log', () => {
  const answer = { configOptions: [select('m', 'model', 'small')] }
  const missing = settingsFor(answer, { model: 'large', provider: null, effort: 'high' })
  expect(missing).toEqual([
    { missing: 'The agent does not offer the model large and uses its default.' },
    { missing: 'The agent does not offer the effort high and uses its default.' },
  ])
  expect(settingsFor({ configOptions: 7, models: [] }, { ...NONE, model: 'large' })).toHaveLength(1)
})

test('agents without options get the older model request', () => {
  const answer = { models: { availableModels: [{ modelId: 'large' }] } }
  expect(settingsFor(answer, { ...NONE, model: 'large' })).toEqual([
    { method: 'session/set_model', params: { modelId: 'large' } },
  ])
})
