import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../src/core/board.ts'
import { kindOfSetting, readSetting, SETTING_NAMES } from '../../src/core/setting-text.ts'

test.each([
  ['maxRunning', 'whole'],
  ['failureLimit', 'whole'],
  ['staleMs', 'duration'],
  ['approvedChecks', 'list'],
  ['sharedDirectories', 'toggle'],
  ['commit', 'choice'],
  ['activeHours', 'text'],
  ['defaultDirectory', 'text'],
] as const)('the setting %s is typed as a %s', (name, kind) => {
  expect(kindOfSetting(name)).toBe(kind)
})

test.each([
  ['maxRunning', ' 3 ', 3],
  ['staleMs', '2h', 7_200_000],
  ['staleMs', '0', 0],
  ['approvedChecks', 'npm test, npm run lint', ['npm test', 'npm run lint']],
  ['sharedDirectories', 'ON', true],
  ['commit', 'none', 'none'],
  ['reviewer', 'None', null],
  ['failureLimit', '', 2],
] as const)('%s reads the text %j', (name, text, value) => {
  expect(readSetting(name, text)).toEqual({ value })
})

test.each([
  ['failureLimit', '0', { is: 'whole', least: 1 }],
  ['maxRunning', 'many', { is: 'whole', least: null }],
  ['staleMs', 'soon', { is: 'duration' }],
  ['sharedDirectories', 'perhaps', { is: 'toggle' }],
  ['defaultDirectory', 'work', { is: 'other', message: 'must be an absolute path' }],
] as const)('%s refuses the text %j', (name, text, fault) => {
  expect(readSetting(name, text)).toEqual({ fault })
})

test('an empty text gives each setting its default', () => {
  for (const name of SETTING_NAMES)
    expect([name, readSetting(name, '')]).toEqual([name, { value: DEFAULT_SETTINGS[name] }])
})
