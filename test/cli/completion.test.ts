// Tests the candidates of shell completion. test/e2e/commands runs the scripts in real shells.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readBashLine, replyToBash } from '../../src/cli/completion/bash-line.ts'
import { SCRIPTS, SHELLS } from '../../src/cli/completion/scripts.ts'
import { STATUSES } from '../../src/core/vocabulary.ts'
import { makeCliHome } from '../helpers/in-process.ts'
import type { CliHome } from '../helpers/in-process.ts'

/** Returns the candidates with descriptions, as zsh and fish get them. */
async function offered({ run }: CliHome, words: readonly string[], env = {}): Promise<Map<string, string>> {
  const { code, stdout, stderr } = await run(['__complete', 'fish', ...words], { env })
  expect([code, stderr]).toEqual([0, ''])
  const lines = stdout.split('\n').filter((line) => line !== '')
  return new Map(lines.map((line) => [line.split('\t')[0] ?? '', line.split('\t')[1] ?? '']))
}
const values = async (cli: CliHome, ...words: string[]) => [...(await offered(cli, words)).keys()]

async function boardWithCard() {
  const cli = makeCliHome()
  const { stdout } = await cli.muster('create', 'Fix\tthe \x1b[31mlogin', '--json')
  return { cli, id: (JSON.parse(stdout) as { id: string }).id }
}

describe('candidates from the manifest', () => {
  test('completion offers commands, groups and the commands of a group', async () => {
    const cli = makeCliHome()
    expect(await values(cli, '')).toEqual(expect.arrayContaining(['create', 'boards', 'help']))
    expect(await values(cli, 'crea')).toEqual(['create'])
    expect((await values(cli, 'boards', '')).sort()).toEqual([
      'archive',
      'create',
      'delete',
      'list',
      'rename',
      'set',
      'show',
      'switch',
      'unarchive',
    ])
    expect(await values(cli, 'help', 'boards', 'cr')).toEqual(['create'])
    expect(await values(cli, 'completion', '')).toEqual(['bash', 'zsh', 'fish'])
    expect(await values(cli, '__')).toEqual([])
    expect(await values(cli, 'nonsense', '')).toEqual([])
  })

  test('completion offers a flag again only if it is repeatable', async () => {
    const cli = makeCliHome()
    expect(await values(cli, 'create', 'x', '--assignee', 'a', '--as')).toEqual([])
    expect(await values(cli, 'create', 'x', '--parent', 'a', '--par')).toEqual(['--parent'])
    expect(await values(cli, 'list', '--js')).toEqual(['--json'])
    expect(await values(cli, '--bo')).toEqual(['--board'])
    expect(await values(cli, 'create', '--', '--as')).toEqual([])
    expect((await offered(cli, ['create', '--hol'])).get('--hold')).toBe(
      'create the card on hold; it starts after its release',
    )
  })

  test('completion offers the choices of a flag after a space and after =', async () => {
    const cli = makeCliHome()
    expect(await values(cli, 'list', '--status', '')).toEqual([...STATUSES])
    expect(await values(cli, 'list', '--status=re')).toEqual(['--status=ready', '--status=review'])
    expect(await values(cli, 'create', 'x', '--workspace', '')).toEqual(['scratch', 'dir:', 'worktree', 'worktree:'])
  })
})

describe('candidates from the store and the disk', () => {
  test('completion offers cards with their escaped titles', async () => {
    const { cli, id } = await boardWithCard()
    const about = 'Fix the \\x1b[31mlogin'
    expect(await offered(cli, ['show', ''])).toEqual(new Map([[id, about]]))
    expect(await offered(cli, ['show', id.slice(0, 6)])).toEqual(new Map([[id, about]]))
    expect(await values(cli, 'complete', id, 't_')).toEqual([id])
    expect(await values(cli, 'create', 'x', '--parent', 't_')).toEqual([id])
    expect(await values(cli, 'create', 'x', '--parent=t_')).toEqual([`--parent=${id}`])
    expect(await values(cli, 'show', id, '')).toEqual([])
  })

  test('completion offers boards, and the cards of the board in --board', async () => {
    const { cli, id } = await boardWithCard()
    await cli.muster('boards', 'create', 'side')
    await cli.muster('boards', 'archive', 'side')
    expect(await offered(cli, ['boards', 'unarchive', 's'])).toEqual(new Map([['side', 'Side [archived]']]))
    expect(await values(cli, 'list', '--board', '')).toEqual(['default', 'side'])
    expect(await values(cli, '--board', 'side', 'show', '')).toEqual([])
    expect(await values(cli, '--board=default', 'show', '')).toEqual([id])
    expect(await values(cli, 'show', '--board', 'side', id.slice(0, 7))).toEqual([id])
  })

  test('completion offers agents and settings', async () => {
    const { cli } = await boardWithCard()
    mkdirSync(join(cli.home, 'agents'), { recursive: true })
    writeFileSync(join(cli.home, 'agents', 'coder.md'), '---\nharness: shell\n---\n')
    expect(await values(cli, 'create', 'x', '--assignee', '')).toEqual(['shell', 'coder', 'none'])
    expect(await values(cli, 'boards', 'set', 'default', 'maxR')).toEqual(['maxRunning='])
  })

  test('completion offers files after @ for a text, and folders for a workspace', async () => {
    const cli = makeCliHome()
    mkdirSync(join(cli.around, 'notes'))
    writeFileSync(join(cli.around, 'note.md'), '')
    writeFileSync(join(cli.around, '.hidden'), '')
    expect((await values(cli, 'create', 'x', '--body', `@${cli.around}/`)).sort()).toEqual([
      `@${cli.around}/note.md`,
      `@${cli.around}/notes/`,
    ])
    expect(await values(cli, 'create', 'x', '--body', '')).toEqual(['-', '@'])
    expect(await values(cli, 'create', 'x', '--workspace', `dir:${cli.around}/no`)).toEqual([
      `dir:${cli.around}/notes/`,
    ])
    expect(await values(cli, 'boards', 'create', 'x', '--default-directory', `${cli.around}/.h`)).toEqual([
      `${cli.around}/.hidden`,
    ])
  })
})

describe('errors', () => {
  test('without a usable store, completion offers no cards and prints no error', async () => {
    const cli = makeCliHome()
    for (const env of [
      {},
      { MUSTER_HOME: 'relative' },
      { MUSTER_STORE: 'postgres://nowhere' },
      { MUSTER_RUN: 'r_0123456789' },
    ])
      expect(await offered(cli, ['show', 't_'], env)).toEqual(new Map())
    expect(await values(cli, 'list', '--board', 'Bad Name', '--assignee', '')).toEqual(['shell', 'none'])
    expect(readdirSync(cli.around)).toEqual([])
    expect(await cli.run(['__complete'])).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('bash', () => {
  test('a line is split into words as bash splits it', () => {
    expect(readBashLine(`muster create "a b" --body 'c d' e\\ f g`)).toEqual({
      words: ['muster', 'create', 'a b', '--body', 'c d', 'e f', 'g'],
      quote: '',
    })
    expect(readBashLine('muster show ')).toEqual({ words: ['muster', 'show', ''], quote: '' })
    expect(readBashLine('muster show "t_')).toEqual({ words: ['muster', 'show', 't_'], quote: '"' })
    expect(readBashLine("muster x 'a\\")).toEqual({ words: ['muster', 'x', 'a\\'], quote: "'" })
  })

  test('a candidate omits the part of the word that bash has already split off', () => {
    const reply = (value: string, line: string, breaks = '"\'@><=;|&(:') =>
      replyToBash(value, { ...readBashLine(line), breaks })
    expect(reply('--board=work', 'muster --board=w')).toBe('work')
    expect(reply('--board=work', 'muster --board=w', ' ')).toBe('--board=work')
    expect(reply('@notes.md', 'muster create x --body @no')).toBe('@notes.md')
    expect(reply('dir:/srv/my site', 'muster create --workspace dir:/s')).toBe('/srv/my\\ site')
    expect(reply('dir:/srv/my site', 'muster create --workspace "dir:/s')).toBe('dir:/srv/my site')
  })
})

describe.each(SHELLS)('the script for %s', (shell) => {
  test('the script explains its installation and contains no list of commands', async () => {
    const { muster } = makeCliHome()
    const { code, stdout, stderr } = await muster('completion', shell)
    expect([code, stdout, stderr]).toEqual([0, SCRIPTS[shell], ''])
    expect(stdout).toContain(`muster completion ${shell}`)
    expect(stdout).not.toMatch(/assignee|reclaim/)
    expect((await muster('completion', shell, '--json')).json()).toEqual({ shell, script: SCRIPTS[shell] })
  })

  test('the shell can parse the script', ({ skip }) => {
    const has = isInstalled(shell)
    skip(!has, `${shell} is not installed here`)
    execFileSync(shell, ['-n'], { input: SCRIPTS[shell] })
  })
})

test('an unknown shell is refused with the list of shells', async () => {
  const { muster } = makeCliHome()
  expect(await muster('completion', 'powershell')).toMatchObject({
    code: 2,
    stderr: 'muster: <shell>: use one of bash, zsh, fish.\n',
  })
})

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['-c', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
