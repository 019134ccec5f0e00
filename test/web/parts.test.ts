/** Tests small functions of the parts of the interface. */
import { expect, test } from 'vitest'
import { ClientError } from '../../src/client/index.ts'
import { describeError } from '../../web/src/i18n/describe-error.ts'
import { readLink, stateAfter } from '../../web/src/sign-in/sign-in-state.ts'
import { resolveTheme } from '../../web/src/theme/theme.ts'
import { avatarOf } from '../../web/src/ui/avatar-look.ts'
import { matchOptions, nextOption } from '../../web/src/ui/listbox-keys.ts'
import { dismissToast, showToast, toasts } from '../../web/src/ui/toasts.ts'

const refusal = (code: string, message = 'The sentence of the server.') =>
  new ClientError(code, message, { status: 409 })

test('a known error is translated, and an unknown error keeps the sentence of the server', () => {
  expect(describeError(refusal('task_not_found'), 'zh')).toBe('此卡片不存在或已删除。')
  expect(describeError(refusal('cycle', 'Card t_1 would wait for itself.'), 'ko')).toBe(
    'Card t_1 would wait for itself.',
  )
})

test('a sign-in link leads only to pages of this server', () => {
  expect(readLink('#abc.def')).toEqual({ code: 'abc.def', path: '/' })
  expect(readLink('#abc/b/default/t_1')).toEqual({ code: 'abc', path: '/b/default/t_1' })
  expect(readLink('#abc/')).toEqual({ code: 'abc', path: '/' })
  for (const path of ['//evil.example', '/\\evil.example', '/\t/evil.example'])
    expect(readLink(`#abc${path}`)).toEqual({ code: 'abc', path: '/' })
  expect(readLink('')).toBeNull()
})

test('the sign-in page explains each failure', () => {
  expect(stateAfter(refusal('sign_in_required'))).toBe('used')
  expect(stateAfter(refusal('too_many_attempts'))).toBe('too_many')
  expect(stateAfter(refusal('server_unreachable'))).toBe('offline')
})

test('the theme follows the system unless the person chose a theme', () => {
  expect(resolveTheme('system', true)).toBe('dark')
  expect(resolveTheme('light', true)).toBe('light')
})

test('an agent has the same letter and colour on every page', () => {
  expect(avatarOf('codex')).toEqual({ letter: 'X', hue: 255 })
  expect(avatarOf('writer')).toEqual(avatarOf('writer'))
  expect(avatarOf('학자').letter).toBe('학')
})

test('the arrow keys move around a list of options without an end', () => {
  expect(nextOption('ArrowDown', 2, 3)).toBe(0)
  expect(nextOption('ArrowUp', 0, 3)).toBe(2)
  expect(nextOption('End', 0, 3)).toBe(2)
  expect(nextOption('x', 0, 3)).toBeNull()
  expect(nextOption('ArrowDown', 0, 0)).toBeNull()
})

test('an option matches if it contains all typed words, and options that begin with them come first', () => {
  const options = ['Research codex', 'codex', 'claude'].map((label) => ({ value: label, label }))
  expect(matchOptions(options, 'cod').map(({ value }) => value)).toEqual(['codex', 'Research codex'])
  expect(matchOptions(options, 'codex res').map(({ value }) => value)).toEqual(['Research codex'])
  expect(matchOptions(options, '  ')).toHaveLength(3)
})

test('at most three notices are shown, the newest last', () => {
  const ids = [1, 2, 3, 4].map((at) => showToast({ kind: 'done', text: `message ${at}` }))
  expect(toasts.get().map(({ text }) => text)).toEqual(['message 2', 'message 3', 'message 4'])
  for (const id of ids) dismissToast(id)
  expect(toasts.get()).toEqual([])
})
