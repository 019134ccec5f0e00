import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../src/core/board.ts'
import { SETTING_NAMES } from '../../src/core/setting-text.ts'
import { changesOf, defaultText, refusedSetting, typedSetting } from '../../web/src/settings/boards/setting-draft.ts'
import { SETTING_GROUPS } from '../../web/src/settings/boards/setting-groups.ts'
import { partOf } from '../../web/src/settings/parts.ts'

test('every setting of a board is in exactly one group', () => {
  expect(Object.values(SETTING_GROUPS).flat().toSorted()).toEqual(SETTING_NAMES.toSorted())
})

test('a setting is shown in the form in which a person types its value', () => {
  expect(typedSetting('staleMs', 14_400_000)).toBe('4h')
  expect(typedSetting('staleMs', 0)).toBe('0')
  expect(typedSetting('approvedChecks', ['npm test', 'make'])).toBe('npm test, make')
  expect([typedSetting('maxRunning', null), typedSetting('sharedDirectories', true)]).toEqual(['', 'on'])
})

test('typing the default of a setting is not a change', () => {
  const draft = Object.fromEntries(SETTING_NAMES.map((name) => [name, defaultText(name)]))
  expect(changesOf(DEFAULT_SETTINGS, draft)).toEqual({ settings: {}, faults: {}, count: 0 })
})

test('changes and errors are counted over all settings', () => {
  const saved = { ...DEFAULT_SETTINGS, approvedChecks: ['make'] }
  expect(
    changesOf(saved, { maxRunning: '3', staleMs: '2h', approvedChecks: '', failureLimit: '0', leaseMs: 'soon' }),
  ).toEqual({
    settings: { maxRunning: 3, staleMs: 7_200_000, approvedChecks: [] },
    faults: { failureLimit: { is: 'whole', least: 1 }, leaseMs: { is: 'duration' } },
    count: 5,
  })
})

test('a refusal is shown at the field that it names', () => {
  expect([refusedSetting({ field: 'defaultAssignee' }), refusedSetting({ field: 'slug' }), refusedSetting({})]).toEqual(
    ['defaultAssignee', null, null],
  )
})

test('an unknown settings page in the URL shows the appearance settings', () => {
  expect([partOf('tokens'), partOf('nonsense'), partOf(null)]).toEqual(['tokens', 'appearance', 'appearance'])
})
