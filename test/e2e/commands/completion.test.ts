// Tests Tab completion in a real bash: the script is loaded as in a user's .bashrc and calls the real binary.
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { BIN, makeTestHome } from '../../helpers/cli.ts'
import type { TestHome } from '../../helpers/cli.ts'
import { SURFACE_ENGINES } from '../../helpers/stores.ts'

/** Sets the variables that readline sets for a line that ends at the cursor, and calls the completion. */
const PRESS_TAB = `
eval "$(muster completion bash)"
COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
COMP_LINE=$1 COMP_POINT=\${#1} COMP_WORDS=($1) COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
complete -p muster >/dev/null || exit 9
_muster muster
printf '%s\\n' "\${COMPREPLY[@]}"
`

async function pressTab({ home, env }: TestHome, line: string): Promise<string[]> {
  const folder = join(home, '..', 'bin')
  mkdirSync(folder, { recursive: true })
  try {
    symlinkSync(BIN, join(folder, 'muster'))
  } catch {
    // The link exists, because an earlier call has made it.
  }
  const path = [folder, join(process.execPath, '..'), env['PATH']].join(':')
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', PRESS_TAB, 'bash', line], {
    env: { ...env, PATH: path },
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((value) => value !== '')
}

describe.each(SURFACE_ENGINES)('completion in bash (%s)', (engine) => {
  test('completion offers commands, flags, choices, cards, agents and boards', async () => {
    const home = makeTestHome(engine)
    const card = await home.create('A card')
    await home.muster('boards', 'create', 'side-project')
    expect(await pressTab(home, 'muster crea')).toEqual(['create'])
    expect(await pressTab(home, 'muster boards sw')).toEqual(['switch'])
    expect(await pressTab(home, 'muster list --stat')).toEqual(['--status'])
    expect(await pressTab(home, 'muster list --status=bl')).toEqual(['blocked'])
    expect(await pressTab(home, 'muster show t_')).toEqual([card.id])
    expect(await pressTab(home, 'muster create "x y" --assignee sh')).toEqual(['shell'])
    expect(await pressTab(home, 'muster boards switch s')).toEqual(['side-project'])
    expect(await pressTab(home, 'muster create x --workspace dir:/et')).toEqual(['/etc/'])
    expect(await pressTab(home, 'muster frobnicate ')).toEqual([])
  })

  test('completion without a data folder offers nothing and creates nothing', async () => {
    const home = makeTestHome(engine)
    expect(await pressTab(home, 'muster show t_')).toEqual([])
    expect(await home.muster('list')).toMatchObject({ code: 3 })
  })
})
