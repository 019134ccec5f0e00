import { expect, test } from 'vitest'
import { parseModels } from '../../src/config/models.ts'

const PLANNER = { url: 'http://127.0.0.1:11434/v1/', model: 'qwen3' }

test('the planner model replaces a judge or describer that is not set', () => {
  const { choices, faults } = parseModels({ planner: PLANNER, judge: { cli: 'claude', model: 'opus', timeout: '90s' } })
  expect(faults).toEqual({})
  expect(choices.planner).toEqual({
    section: 'models.planner',
    url: 'http://127.0.0.1:11434/v1',
    model: 'qwen3',
    keyEnv: null,
    timeoutMs: 180_000,
  })
  expect(choices.judge).toMatchObject({ cli: 'claude', model: 'opus', timeoutMs: 90_000 })
  expect(choices.describer).toBe(choices.planner)
})

test('an invalid judge is not replaced by the planner', () => {
  const { choices, faults } = parseModels({ planner: PLANNER, judge: { cli: 'vi' } })
  expect(choices.judge).toBeUndefined()
  expect(faults).toEqual({ judge: 'models.judge in config.yaml: cli must be claude, codex, opencode, gemini' })
})

test.each([
  ['a list', [], 'models in config.yaml'],
  ['an unknown role', { thinker: PLANNER }, 'models.thinker'],
  ['a text', { planner: 'claude' }, 'set url and model, or cli'],
  ['an unknown key', { planner: { ...PLANNER, apiKey: 'k' } }, 'unknown key apiKey'],
  ['a key instead of its variable', { planner: { ...PLANNER, keyEnv: 'sk-123' } }, 'not the key itself'],
  ['an address with a password', { planner: { url: 'http://a:b@host/v1', model: 'm' } }, 'without a user name'],
  ['an address of a file', { planner: { url: 'file:///etc/passwd', model: 'm' } }, 'http or https'],
  ['no model', { planner: { url: 'http://host/v1' } }, 'model must be'],
  ['a model that looks like an option', { planner: { cli: 'codex', model: '--yolo' } }, 'model must be'],
  ['a timeout without a unit of time', { planner: { ...PLANNER, timeout: 'soon' } }, 'timeout must be'],
])('%s is refused with a reason', (_, value, text) => {
  const { choices, faults } = parseModels(value)
  expect(choices.planner).toBeUndefined()
  expect(faults.planner ?? '').toContain(text)
})
