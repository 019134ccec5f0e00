import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chooseOption, decidePermission } from '../../../src/harnesses/acp/permission.ts'
import type { Permissions } from '../../../src/core/vocabulary.ts'
import { makeFolder } from '../job.ts'

function makeWorkspace(): string {
  const workspace = join(makeFolder(), 'workspace')
  mkdirSync(join(workspace, 'src'), { recursive: true })
  writeFileSync(join(workspace, '..', 'outside.txt'), '')
  symlinkSync('..', join(workspace, 'out'))
  symlinkSync('../not-there.txt', join(workspace, 'to-outside'))
  symlinkSync('src/not-there.txt', join(workspace, 'to-inside'))
  symlinkSync('to-outside', join(workspace, 'by-another'))
  symlinkSync('/not-there', join(workspace, 'to-nowhere'))
  return workspace
}

const allowed = async (call: object, permissions: Permissions, workspace = makeWorkspace()): Promise<boolean> => {
  const known = { call: { title: 'it', ...call }, firstTitle: 'it' }
  return (await decidePermission(known, { permissions, workspace })).isAllowed
}

test.each(['read', 'search', 'think'])('%s is allowed with every permission', async (kind) => {
  for (const permissions of ['read', 'ask', 'edit', 'full'] as const)
    expect(await allowed({ kind, locations: [{ path: '/etc/hosts' }] }, permissions)).toBe(true)
})

test.each(['execute', 'fetch', 'switch_mode', 'other', undefined, 'news'])(
  '%s is allowed only with full permissions',
  async (kind) => {
    for (const permissions of ['read', 'ask', 'edit'] as const)
      expect(await allowed({ kind, locations: [{ path: 'a' }] }, permissions)).toBe(false)
    expect(await allowed({ kind }, 'full')).toBe(true)
  },
)

test.each([
  ['a.txt', 'allowed'],
  ['src/new/a.txt', 'allowed'],
  ['.', 'allowed'],
  ['..', 'refused'],
  ['../outside.txt', 'refused'],
  ['src/../../outside.txt', 'refused'],
  ['out/outside.txt', 'refused'],
  ['out/new.txt', 'refused'],
  ['src/../a.txt', 'allowed'],
  // Programs resolve `..` after a link in different ways.
  ['out/../a.txt', 'refused'],
  ['to-inside', 'allowed'],
  ['to-outside', 'refused'],
  ['by-another', 'refused'],
  ['to-nowhere/a.txt', 'refused'],
  ['/etc/hosts', 'refused'],
])('with the permission `edit`, an edit of %s is %s', async (path, outcome) => {
  const expected = outcome === 'allowed'
  for (const kind of ['edit', 'delete', 'move'])
    expect(await allowed({ kind, locations: [{ path }] }, 'edit')).toBe(expected)
  expect(await allowed({ kind: 'edit', content: [{ type: 'diff', path, newText: '' }] }, 'edit')).toBe(expected)
  expect(await allowed({ kind: 'edit', locations: [{ path }] }, 'read')).toBe(false)
})

test('an edit outside the workspace or without a path is refused', async () => {
  expect(await allowed({ kind: 'move', locations: [{ path: 'a' }, { path: '/etc/hosts' }] }, 'edit')).toBe(false)
  expect(await allowed({ kind: 'edit' }, 'edit')).toBe(false)
})

test.each(['read', 'search', 'think'])('%s with a diff counts as an edit', async (kind) => {
  const change = (path: string) => ({ kind, content: [{ type: 'diff', path, newText: '' }] })
  expect(await allowed(change('a.txt'), 'read')).toBe(false)
  expect(await allowed(change('a.txt'), 'edit')).toBe(true)
  expect(await allowed(change('/etc/hosts'), 'edit')).toBe(false)
})

test('a command with a diff counts as a command', async () => {
  const content = [{ type: 'diff', path: 'a.txt', newText: '' }]
  expect(await allowed({ kind: 'execute', content }, 'edit')).toBe(false)
})

test('board tools are always allowed, but tools with similar names are not', async () => {
  const workspace = makeWorkspace()
  const asks = (title: string, kind = 'other') =>
    decidePermission({ call: { title, kind }, firstTitle: null }, { permissions: 'read', workspace })
  expect(await asks('muster_kanban_complete')).toMatchObject({ isAllowed: true })
  expect(await asks('kanban_complete (muster MCP Server)')).toMatchObject({ isAllowed: true })
  expect(await asks('muster_kanban_complete; rm -rf /')).toMatchObject({ isAllowed: false })
  expect(await asks('muster_kanban_complete', 'execute')).toMatchObject({ isAllowed: false })
  expect(await asks('other_kanban_complete')).toMatchObject({ isAllowed: false })
})

const option = (kind: string) => ({ optionId: `id of ${kind}`, name: kind, kind })

test('permission is granted or refused for one call, never for all', () => {
  const all = ['allow_always', 'allow_once', 'reject_always', 'reject_once'].map(option)
  const yes = { isAllowed: true, why: '' }
  const no = { isAllowed: false, why: '' }
  expect(chooseOption(all, yes)).toEqual({ outcome: 'selected', optionId: 'id of allow_once' })
  expect(chooseOption(all, no)).toEqual({ outcome: 'selected', optionId: 'id of reject_once' })
  expect(chooseOption([option('allow_always')], yes)).toEqual({ outcome: 'cancelled' })
  expect(chooseOption([option('reject_always')], no)).toEqual({ outcome: 'cancelled' })
  expect(chooseOption('nothing', yes)).toEqual({ outcome: 'cancelled' })
})
