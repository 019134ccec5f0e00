import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { changesByOpencode } from '../../../src/harnesses/opencode/user-files.ts'
import { makeFolder } from '../job.ts'

const BARE = '{ "share": "disabled" }'
const NAMED = '{\n  // Mine.\n  "$schema": "https://opencode.ai/config.json"\n}'

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}

const changedIn = (root: string, env: Readonly<Record<string, string>> = {}): readonly string[] =>
  changesByOpencode({ workspace: join(root, 'repo/packages/a'), env: { HOME: join(root, 'user'), ...env } }).map(
    ({ path }) => path.slice(root.length + 1),
  )

test('all settings files that OpenCode reads and changes are found', () => {
  const root = makeFolder()
  write(root, {
    'user/.config/opencode/opencode.json': BARE,
    'user/.config/opencode/opencode.jsonc': NAMED,
    'user/.opencode/opencode.json': BARE,
    'repo/.git/HEAD': '',
    'repo/opencode.jsonc': '{ "mcp": { "$schema": "not of this file" }, }',
    'repo/packages/opencode.json': `\n${BARE}`,
    'repo/packages/opencode.jsonc': 'no settings at all',
    'repo/packages/a/.opencode/opencode.json': BARE,
    'opencode.json': BARE,
  })
  expect(changedIn(root)).toEqual([
    'user/.config/opencode/opencode.json',
    'user/.opencode/opencode.json',
    'repo/packages/a/.opencode/opencode.json',
    'repo/packages/opencode.json',
    'repo/opencode.jsonc',
  ])
  const config = { XDG_CONFIG_HOME: join(root, 'elsewhere'), OPENCODE_CONFIG: join(root, 'opencode.json') }
  expect(changedIn(root, config)).toContain('opencode.json')
  expect(changedIn(root, config)).not.toContain('user/.config/opencode/opencode.json')
})

test('Muster predicts the change that OpenCode makes to a settings file', () => {
  const root = makeFolder()
  write(root, { 'repo/opencode.json': `\n${BARE}`, 'user/.config/opencode/opencode.jsonc': `// Mine.\n${BARE}` })
  expect(changesByOpencode({ workspace: join(root, 'repo'), env: { HOME: join(root, 'user') } })).toEqual([
    {
      path: join(root, 'repo/opencode.json'),
      was: `\n${BARE}`,
      becomes: '{\n  "$schema": "https://opencode.ai/config.json", "share": "disabled" }',
    },
  ])
})
