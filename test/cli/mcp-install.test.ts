import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { NAMES, makeDesk, reading, readingWithTools, readingWithout, tableOf } from '../helpers/assistants.ts'
import type { Name } from '../helpers/assistants.ts'
import { makeCliHome } from '../helpers/in-process.ts'

const SITUATIONS: Readonly<Record<Name, Readonly<Record<string, string | null>>>> = {
  claude: jsonSituations('mcpServers'),
  codex: {
    'no file': null,
    'an empty file': '',
    'an empty line': '\n',
    'other servers': 'model = "o4"\n\n[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "docs"]\n',
    comments: '# mine\nmodel = "o4" # the small one\n\n[mcp_servers.docs] # docs\ncommand = "npx"\n# the end\n',
    'Windows lines': 'model = "o4"\r\n\r\n[tui]\r\ntheme = "dark"\r\n',
    'no last line end': '[tui]\ntheme = "dark"',
    'several empty lines at the end': '[tui]\ntheme = "dark"\n\n\n',
    'a text that looks like our entry': 'notes = """\n[mcp_servers.muster]\ncommand = "x"\n"""\n',
    'servers written with dots': 'mcp_servers.docs.command = "npx"\n',
    'a table of tables': '[[hooks]]\nname = "a"\n[[hooks]]\nname = "a"\n',
    'lists over several lines': 'list = [\n  "a", # one\n  \'b\',\n]\n',
  },
  opencode: {
    ...jsonSituations('mcp'),
    ...commented('mcp'),
    'a comma too many on a line': '{\n  "mcp": { "docs": { "type": "remote", "url": "https://x" }, },\n}',
    'a comma too many': '{\n  "mcp": {\n    "docs": { "type": "remote", "url": "https://x" },\n  },\n}\n',
  },
  gemini: { ...jsonSituations('mcpServers'), ...commented('mcpServers') },
}

function jsonSituations(servers: string): Readonly<Record<string, string | null>> {
  return {
    'no file': null,
    'an empty file': '',
    'an empty line': '\n',
    'an empty object': '{}',
    'an empty object with room': '{ \n\n }\n',
    'an empty table of servers': `{\n  "${servers}": {}\n}\n`,
    'other servers': `{\n  "theme": "dark",\n  "${servers}": {\n    "docs": {\n      "command": "npx"\n    }\n  },\n  "z": [1, 2]\n}\n`,
    'four spaces': `{\n    "${servers}": {\n        "docs": {}\n    }\n}`,
    tabs: `{\n\t"a": {\n\t\t"b": 1\n\t}\n}\n`,
    'Windows lines': `{\r\n  "${servers}": {\r\n    "docs": { "command": "npx" }\r\n  }\r\n}\r\n`,
    'one line': `{"a":1,"${servers}":{"docs":{"command":"npx"}}}`,
    'one line with spaces': `{ "a": 1, "b": { } }\n`,
    'everything on odd lines': `{ "a": 1\n, "${servers}": { "docs":\n{} } }`,
    'a byte order mark': '\ufeff{\n  "a": 1\n}\n',
    'numbers that no program keeps': '{\n  "a": 1.000,\n  "b": 12345678901234567890\n}\n',
  }
}

function commented(servers: string): Readonly<Record<string, string>> {
  return {
    comments: `// mine\n{\n  // servers\n  "${servers}": {\n    "docs": {} // the docs\n    /* no more */\n  } // so far\n}\n// end\n`,
    'a comment in an empty table': `{\n  "${servers}": {\n    // none yet\n  }\n}\n`,
    'a comment alone': '{\n  // nothing yet\n}\n',
  }
}

describe.each(NAMES)('%s', (name) => {
  test.each(Object.entries(SITUATIONS[name]))('with %s, --remove restores the exact file', async (_, before) => {
    const desk = makeDesk(name, before)
    expect(await desk.install()).toMatchObject({ code: 0 })
    const after = desk.read()
    expect(reading(name, after, before)).toEqual(readingWithTools(name, desk.home, before))

    const again = await desk.install()
    expect(again.stdout).toContain('already has Muster')
    expect(desk.read()).toBe(after)

    expect(await desk.remove()).toMatchObject({ code: 0 })
    expect(desk.read()).toBe(before)
    expect((await desk.remove()).stdout).toContain('Muster is not set up')
    expect(existsSync(join(desk.home, 'assistants.json'))).toBe(false)
  })

  test.each(Object.entries(SITUATIONS[name]))(
    'with %s, --remove works without the install record',
    async (_, before) => {
      const desk = makeDesk(name, before)
      await desk.install()
      desk.forget()
      expect(await desk.remove()).toMatchObject({ code: 0 })
      expect(reading(name, desk.read() ?? '', (before ?? '').trimEnd())).toEqual(readingWithout(name, before))
    },
  )

  test('a folder that install created is removed with the file', async () => {
    const desk = makeDesk(name)
    rmSync(desk.user, { recursive: true })
    await desk.install()
    expect(statSync(desk.file).mode & 0o777).toBe(0o600)
    await desk.remove()
    expect(existsSync(desk.user)).toBe(false)
  })

  test('`--print` shows the changed lines and writes nothing', async () => {
    const desk = makeDesk(name, SITUATIONS[name]['other servers'])
    const shown = await desk.install('--print')
    expect(shown.stdout).toContain('muster')
    expect(shown.stdout).toContain('Nothing was written')
    expect(desk.read()).toBe(SITUATIONS[name]['other servers'])
    expect(existsSync(desk.home)).toBe(false)

    const done = await desk.install()
    const lines = (text: string): string[] => text.split('\n').filter((line) => /^[-+@]/.test(line))
    expect(lines(done.stdout)).toEqual(lines(shown.stdout))
    const [, ...changes] = lines(done.stdout)
    const kept = (desk.read() ?? '').split('\n')
    expect(changes.filter((line) => line.startsWith('+')).every((line) => kept.includes(line.slice(1)))).toBe(true)
    await desk.remove('--print')
    expect(desk.read()).toContain('dist/bin.js')
  })

  test('an entry “muster” of another program is kept and reported', async () => {
    const theirs =
      name === 'codex'
        ? '[mcp_servers.muster]\ncommand = "roll-call"\nargs = ["--all"]\n'
        : `{\n  "${tableOf(name)}": {\n    "muster": { "command": ${name === 'opencode' ? '["roll-call", "--all"]' : '"roll-call", "args": ["--all"]'} }\n  }\n}\n`
    const desk = makeDesk(name, theirs)
    for (const answer of [await desk.install(), await desk.remove()]) {
      expect(answer.code).toBe(1)
      expect(answer.stderr).toMatch(/line [13]: Muster did not write the entry “muster” \(roll-call --all\)/)
    }
    expect(desk.read()).toBe(theirs)
  })

  test('an invalid file is reported with its line and not changed', async () => {
    const broken = name === 'codex' ? 'a = 1\nb = = 2\n' : '{\n  "a": 1\n  "b": 2\n}\n'
    const desk = makeDesk(name, broken)
    for (const answer of [await desk.install(), await desk.remove(), await desk.install('--print')]) {
      expect(answer.code).toBe(1)
      expect(answer.stderr).toContain(`${desk.file}, line ${name === 'codex' ? '2: unexpected' : '3: expected'}`)
    }
    expect(desk.read()).toBe(broken)
    expect(existsSync(desk.home)).toBe(false)
  })

  test('a symbolic link is kept, and its target keeps its mode', async () => {
    const before = SITUATIONS[name]['other servers'] ?? ''
    const desk = makeDesk(name)
    const target = join(desk.user, 'dotfiles')
    writeFileSync(target, before)
    chmodSync(target, 0o640)
    symlinkSync(target, desk.file)
    await desk.install()
    expect(lstatSync(desk.file).isSymbolicLink()).toBe(true)
    expect(statSync(target).mode & 0o777).toBe(0o640)
    expect(reading(name, readFileSync(target, 'utf8'), before)).toEqual(readingWithTools(name, desk.home, before))
    await desk.remove()
    expect(readFileSync(target, 'utf8')).toBe(before)
    expect(statSync(target).mode & 0o777).toBe(0o640)
  })

  test('a dangling symbolic link is kept, and its target is created and removed again', async () => {
    const desk = makeDesk(name)
    const target = join(desk.user, 'dotfiles')
    symlinkSync(target, desk.file)
    await desk.install()
    expect(existsSync(target)).toBe(true)
    await desk.remove()
    expect(existsSync(target)).toBe(false)
    expect(lstatSync(desk.file).isSymbolicLink()).toBe(true)
  })

  test('a read-only file is not replaced', async () => {
    const before = SITUATIONS[name]['other servers'] ?? ''
    const desk = makeDesk(name, before)
    chmodSync(desk.file, 0o444)
    const answer = await desk.install()
    expect(answer.code).toBe(1)
    expect(answer.stderr).toContain('is read-only')
    expect(desk.read()).toBe(before)
    expect(await desk.install('--print')).toMatchObject({ code: 0 })
  })

  test('an install with another board updates the entry, and --remove restores the file', async () => {
    const before = SITUATIONS[name]['other servers'] ?? ''
    const desk = makeDesk(name, before)
    await desk.install()
    const changed = await desk.install('--board', 'work')
    expect(changed.stdout).toMatch(/^\+.*"--board".*/m)
    expect(desk.read()).toMatch(/"mcp",\s+"--board",\s+"work"/)
    await desk.remove()
    expect(desk.read()).toBe(before)
  })

  test('settings that a person added to the entry are kept', async () => {
    const desk = makeDesk(name)
    await desk.install()
    const added =
      name === 'codex'
        ? `${desk.read()}enabled = false\n`
        : (desk.read() ?? '').replace('"muster": {', '"muster": {\n      "enabled": false,')
    desk.write(added)
    expect((await desk.install()).stdout).toContain('already has Muster')
    const other = await desk.install('--board', 'work')
    expect(other.code).toBe(1)
    expect(other.stderr).toContain('settings that you added (enabled)')
    expect(desk.read()).toBe(added)
    expect(await desk.remove()).toMatchObject({ code: 0 })
    expect(desk.read()).toBeNull()
  })

  test('servers that other programs added later are kept', async () => {
    const desk = makeDesk(name)
    await desk.install()
    const text = desk.read() ?? ''
    desk.write(
      name === 'codex'
        ? `${text}\n[mcp_servers.late]\ncommand = "late"\n`
        : text.replace(/\}\n {2}\}\n\}\n$/, '},\n    "late": {}\n  }\n}\n'),
    )
    await desk.remove()
    const late =
      name === 'codex'
        ? '[mcp_servers.late]\ncommand = "late"\n'
        : `{\n  "${tableOf(name)}": {\n    "late": {}\n  }\n}\n`
    expect(desk.read()).toBe(late)
  })

  test('the record of an entry that a person removed is deleted', async () => {
    const desk = makeDesk(name)
    await desk.install()
    rmSync(desk.file)
    expect((await desk.remove('--print')).stdout).toContain('Muster is not set up')
    expect(existsSync(join(desk.home, 'assistants.json'))).toBe(true)
    await desk.remove()
    expect(existsSync(join(desk.home, 'assistants.json'))).toBe(false)
  })

  test('`install` is refused inside a run', async () => {
    const desk = makeDesk(name)
    const env = { MUSTER_RUN: 'r_0123456789', MUSTER_SOCKET: '/nowhere', MUSTER_NONCE: 'x' }
    const answer = await desk.muster(['mcp', 'install', name], env)
    expect(answer.code).toBe(1)
    expect(answer.stderr).toContain('Not available inside run')
    expect(desk.read()).toBeNull()
  })
})

test.each([
  ['claude', 'CLAUDE_CONFIG_DIR', '.claude.json'],
  ['codex', 'CODEX_HOME', 'config.toml'],
  ['opencode', 'XDG_CONFIG_HOME', 'opencode/opencode.json'],
  ['gemini', 'GEMINI_CLI_HOME', '.gemini/settings.json'],
] as const)('%s is set up in the folder that %s names', async (name, variable, file) => {
  const desk = makeDesk(name)
  const answer = await desk.muster(['mcp', 'install', name, '--json'], { [variable]: join(desk.user, 'elsewhere') })
  expect(answer.json()).toMatchObject({ file: join(desk.user, 'elsewhere', file), change: 'installed', written: true })
  expect(readFileSync(join(desk.user, 'elsewhere', file), 'utf8')).toContain('dist/bin.js')
})

test('`install` changes the OpenCode file that exists and creates no other', async () => {
  const desk = makeDesk('opencode')
  const commentedFile = `${desk.file}c`
  writeFileSync(commentedFile, '{ // mine\n}\n')
  await desk.install()
  expect(desk.read()).toBeNull()
  expect(readFileSync(commentedFile, 'utf8')).toContain('dist/bin.js')
  desk.write('{}\n')
  await desk.remove()
  expect(readFileSync(commentedFile, 'utf8')).toBe('{ // mine\n}\n')
  expect(desk.read()).toBe('{}\n')
})

test('removing the entry keeps everything else in the file', async () => {
  const before = '{ // mine\n  "mcp": { "docs": { "enabled": false }, },\n}'
  const desk = makeDesk('opencode', before)
  await desk.install()
  expect(desk.read()?.split('\n')).toHaveLength(3)
  desk.write((desk.read() ?? '').replace('{ //', '{\n  "$schema": "https://x", //'))
  await desk.remove()
  expect(desk.read()).toBe(before.replace('{ //', '{\n  "$schema": "https://x", //'))
})

test('`install` shows only the changed part of a one-line file', async () => {
  const secret = `{"oauth":"${'s'.repeat(500)}","mcpServers":{"docs":{}},"more":"${'m'.repeat(500)}"}`
  const desk = makeDesk('claude', secret)
  const { stdout } = await desk.install()
  expect(stdout).toContain('"muster":{')
  expect(stdout).not.toContain('s'.repeat(100))
  expect(stdout).not.toContain('m'.repeat(100))
})

test('`install` reports an assistant that is not on the PATH', async () => {
  const desk = makeDesk('gemini')
  expect((await desk.install()).stdout).toContain('Install gemini: it is not on your PATH')
  const programs = join(desk.user, 'bin')
  mkdirSync(programs)
  writeFileSync(join(programs, 'gemini'), '', { mode: 0o755 })
  await desk.remove()
  const found = await desk.muster(['mcp', 'install', 'gemini'], { PATH: programs })
  expect(found.stdout).toContain('at its next start')
})

test('the password of a store is not written to the file', async () => {
  const desk = makeDesk('codex')
  const store = { MUSTER_STORE: 'postgres://ada:secret@db/board' }
  const answer = await desk.muster(['mcp', 'install', 'codex'], store)
  expect(answer.stderr).toContain('Start codex with MUSTER_STORE set')
  expect(desk.read()).not.toContain('secret')
  expect(desk.read()).toContain('env_vars = ["MUSTER_STORE"]')
  expect((await desk.muster(['mcp', 'install', 'codex'], store)).stdout).toContain('already has Muster')
  await desk.muster(['mcp', 'install', 'codex'], { MUSTER_STORE: 'postgres://ada@db/board' })
  expect(desk.read()).toContain('MUSTER_STORE = "postgres://ada@db/board"')
})

test('a file that is not UTF-8 text is not changed', async () => {
  const desk = makeDesk('claude')
  writeFileSync(desk.file, Buffer.from([0x7b, 0xff, 0x7d]))
  const answer = await desk.install()
  expect(answer.stderr).toContain('not UTF-8 text')
  expect(readFileSync(desk.file)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]))
})

test.each([
  ['claude', (deep: string) => `{\n"a": ${deep} }`, 'line 2: it is nested more than 500 levels deep'],
  ['codex', (deep: string) => `a = ${deep}`, 'line 1: a value in it is nested too deeply'],
] as const)('%s: a file with 5,000 nested lists is refused', async (name, textWith, why) => {
  const text = textWith('['.repeat(5_000) + ']'.repeat(5_000))
  const desk = makeDesk(name, text)
  const answer = await desk.install()
  expect([answer.code, answer.stderr]).toEqual([1, expect.stringContaining(why)])
  expect(desk.read()).toBe(text)
})

test.each([
  ['claude', '{\n  // mine\n}\n', 'line 2'],
  ['claude', '{ "mcpServers": [] }', 'mcpServers must be an object'],
  ['claude', '[]', 'it must be an object'],
  ['gemini', '{\n  "a": 1,\n}\n', 'line 3: expected a name in double quotes, found `}`'],
  ['claude', '{\n  "a": "b\n}\n', 'line 2: this string has no end'],
  ['codex', 'a = 1\na = 2\n', 'line 2: defining a key multiple times is invalid, at `a = 2`'],
  ['codex', 'mcp_servers = { docs = { command = "npx" } }\n', 'mcp_servers is one inline value'],
  ['codex', 'a = "b\n', 'line 1: unterminated string constant'],
  ['codex', 'a = maybe\n', 'line 1: unexpected character, at `'],
] as const)('`mcp install` for %s refuses the file %j', async (name, text, why) => {
  const desk = makeDesk(name, text)
  const answer = await desk.install()
  expect(answer.code).toBe(1)
  expect(answer.stderr).toContain(why)
  expect(desk.read()).toBe(text)
})

test('`muster mcp` at a terminal explains its purpose', async () => {
  const { run } = makeCliHome()
  const world = { serveTools: async () => {}, terminal: { columns: 80, rows: 24, colors: false } }
  expect((await run(['mcp'], { world })).stderr).toContain('To connect yours: muster mcp install claude')
  expect((await run(['mcp'], { world: { ...world, terminal: null } })).stderr).toBe('')
})
