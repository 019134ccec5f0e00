// Tests how each CLI gets the skills of a run. test/real-clis proves the same with the real CLIs.
import { mkdirSync, readFileSync, readlinkSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HARNESS_NAMES, harnessOf, isKnownEffort } from '../../src/harnesses/index.ts'
import type { HarnessName } from '../../src/harnesses/index.ts'
import type { Adapter } from '../../src/harnesses/harness.ts'
import { adapter as claude } from '../../src/harnesses/claude.ts'
import { adapter as codex } from '../../src/harnesses/codex.ts'
import { adapter as command } from '../../src/harnesses/command.ts'
import { adapter as gemini } from '../../src/harnesses/gemini/adapter.ts'
import { adapter as opencode } from '../../src/harnesses/opencode/adapter.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import type { RunSkill } from '../../src/harnesses/harness.ts'
import { writeRunFiles } from '../../src/harnesses/write-run-files.ts'
import { jobFor, makeFolder } from './job.ts'

const skill = (at: RunSkill['at'], name = 'reading', isPlain = true): RunSkill => {
  const skillsFolder =
    at === 'home' ? '/me/.muster/skills' : at === 'elsewhere' ? '/repo/.claude/skills' : `/work/${at}/skills`
  return { name, folder: `${skillsFolder}/${name}`, at, isPlain, text: 'Read twice.' }
}

test.each<[string, Adapter, Record<RunSkill['at'], string | null>]>([
  ['claude', claude, { home: 'muster:reading', '.claude': 'reading', '.agents': null, elsewhere: null }],
  ['codex', codex, { home: null, '.claude': null, '.agents': '$reading', elsewhere: null }],
  ['opencode', opencode, { home: 'reading', '.claude': 'reading', '.agents': 'reading', elsewhere: null }],
  ['gemini', gemini, { home: 'reading', '.claude': null, '.agents': 'reading', elsewhere: null }],
  ['command', command, { home: null, '.claude': null, '.agents': null, elsewhere: null }],
])('%s loads skills by name only from folders that it knows', (_, harness, expected) => {
  const places = ['home', '.claude', '.agents', 'elsewhere'] as const
  const names = places.map((at) => [at, harness.nativeSkill?.(skill(at)) ?? null])
  expect(Object.fromEntries(names)).toEqual(expected)
})

const jobWith = (cli: 'claude' | 'opencode' | 'gemini', agent: Parameters<typeof jobFor>[1], skills: RunSkill[]) =>
  jobFor(cli, agent, { skills, workspace: '/work', directory: runDirectoryAt(makeFolder()) })

test('Claude Code gets a plugin with the skills, and may read their folders', async () => {
  const job = jobWith('claude', {}, [skill('home'), skill('home', 'odd', false), skill('.claude', 'near')])
  const launch = claude.launch(job)
  await writeRunFiles(job.directory, launch)
  const plugin = join(job.directory.path, 'plugin')
  expect(launch.argv.join(' ')).toContain(
    `--allowedTools mcp__muster Skill(muster:reading) Read(//me/.muster/skills/reading/**) Read(//me/.muster/skills/odd/**) Read(/${plugin}/**) --`,
  )
  expect(launch.argv).toEqual(expect.arrayContaining(['--plugin-dir', plugin]))
  expect(JSON.parse(readFileSync(join(plugin, '.claude-plugin', 'plugin.json'), 'utf8'))).toMatchObject({
    name: 'muster',
  })
  expect(readdirSync(join(plugin, 'skills'))).toEqual(['reading'])
  expect(readlinkSync(join(plugin, 'skills', 'reading'))).toBe('/me/.muster/skills/reading')
  const later = claude.resume(job, { message: 'go on', session: 'abc' })
  expect(later?.argv).toEqual(expect.arrayContaining(['--plugin-dir', plugin]))
})

test('a run without skills gets no skill files or skill settings', () => {
  expect(claude.launch(jobWith('claude', {}, [])).argv.join(' ')).not.toMatch(/plugin|Read\(/)
  expect(
    gemini
      .launch(jobWith('gemini', {}, []))
      .files.map(({ content }) => content)
      .join(' '),
  ).not.toMatch(/includeDirectories|rule/)
  const { env } = opencode.launch(jobWith('opencode', {}, []))
  expect(JSON.parse(env?.['OPENCODE_CONFIG_CONTENT'] ?? '')).not.toHaveProperty('skills')
})

test('OpenCode may read skill folders but not change them', () => {
  const configOf = (permissions: 'read' | 'edit' | 'full') => {
    const job = jobWith('opencode', { permissions }, [skill('home'), skill('.agents', 'near')])
    return JSON.parse(opencode.launch(job).env?.['OPENCODE_CONFIG_CONTENT'] ?? '') as Record<string, unknown>
  }
  expect(configOf('edit')).toMatchObject({
    skills: { paths: ['/me/.muster/skills/reading'] },
    permission: {
      bash: 'deny',
      external_directory: { '*': 'deny', '/me/.muster/skills/reading/*': 'allow' },
      edit: { '*': 'allow', '../*': 'deny', 'me/.muster/skills/reading/*': 'deny' },
    },
  })
  expect(configOf('read')).toMatchObject({ permission: { edit: 'deny' } })
  expect(configOf('full')).toMatchObject({ permission: { external_directory: 'allow', edit: 'allow' } })
})

test('Gemini CLI gets the skills of the run and those of the user', async () => {
  const user = makeFolder()
  mkdirSync(join(user, '.agents', 'skills', 'mine'), { recursive: true })
  mkdirSync(join(user, '.agents', 'skills', 'reading'))
  mkdirSync(join(user, '.gemini', 'policies'), { recursive: true })
  writeFileSync(join(user, '.agents', 'notes'), '')
  writeFileSync(join(user, '.gemini', 'policies', 'my.toml'), '')
  const job = { ...jobWith('gemini', {}, [skill('home')]), env: { HOME: user } }
  const launch = gemini.launch(job)
  await writeRunFiles(job.directory, launch)
  const own = join(job.directory.path, 'gemini')
  const settings = JSON.parse(readFileSync(join(own, '.gemini', 'settings.json'), 'utf8')) as object
  expect(settings).toMatchObject({ context: { includeDirectories: ['/me/.muster/skills/reading'] } })
  expect(readdirSync(join(own, '.agents')).toSorted()).toEqual(['notes', 'skills'])
  expect(readlinkSync(join(own, '.agents', 'skills', 'mine'))).toBe(join(user, '.agents', 'skills', 'mine'))
  // The skill of the run replaces the user's own skill of the same name.
  expect(readlinkSync(join(own, '.agents', 'skills', 'reading'))).toBe('/me/.muster/skills/reading')
  expect(readdirSync(join(own, '.gemini', 'policies')).toSorted()).toEqual(['muster.toml', 'my.toml'])
  const policy = readFileSync(join(own, '.gemini', 'policies', 'muster.toml'), 'utf8')
  expect(policy).toContain('toolName = "activate_skill"\ndecision = "allow"')
})

test('Gemini CLI with full permissions gets no policy file', () => {
  const launch = gemini.launch(jobWith('gemini', { permissions: 'full' }, [skill('home')]))
  expect(launch.files.map(({ path }) => path).join(' ')).not.toContain('policies')
})

test('Claude Code accepts five efforts, and the efforts of other CLIs depend on the model', () => {
  const known = (harness: HarnessName, effort: string): boolean => isKnownEffort(harnessOf({ harness }), effort)
  expect(known('claude', 'hihg')).toBe(false)
  for (const effort of ['low', 'xhigh', 'MAX']) expect(known('claude', effort)).toBe(true)
  for (const harness of ['opencode', 'gemini'] as const) expect(known(harness, 'hihg')).toBe(true)
})

test('a model for OpenCode needs a provider, but a model for another CLI does not', () => {
  const needing = HARNESS_NAMES.filter((harness) => harnessOf({ harness }).needsProvider === true)
  expect(needing).toEqual(['opencode'])
})
