// Tests the list of skills, the page of a skill, and refusals, in this process. Agents with skills are tested in
// test/e2e/skills.test.ts.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { widthOf } from '../../src/cli/render/width.ts'
import { listSkills } from '../../src/operations/skills/list-skills.ts'
import { showSkill } from '../../src/operations/skills/show-skill.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import { makeCliHome } from '../helpers/in-process.ts'
import { makeRepository, testFolder } from '../helpers/repository.ts'
import { skillText, writeSkill } from '../helpers/skills.ts'

const { output: listOutput } = await listSkills.schemas()
const { output: showOutput } = await showSkill.schemas()

const skillsFolder = ({ home }: { readonly home: string }): string => join(home, 'skills')

describe('muster skills', () => {
  test('without skills, the list explains how to write one', async () => {
    const cli = makeCliHome()
    const { code, stdout, stderr } = await cli.muster('skills', '--repo', testFolder())
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain('No skills yet.\n')
    expect(stderr).toContain(join(cli.home, 'skills', 'reading', 'SKILL.md'))
    expect(stderr).toContain('muster create "Fix the parser" --skill reading')
    expect((await cli.muster('skills', 'list', '--repo', testFolder(), '--json')).json()).toEqual([])
    expect(readdirSync(cli.around)).toEqual([])
  })

  test('the list shows the description, source and problem of each skill', async () => {
    const cli = makeCliHome()
    const { path } = makeRepository()
    writeSkill(skillsFolder(cli), 'reading', '---\nname: reading\ndescription: >\n  Read\n  it twice\n---\nRead.\n')
    writeSkill(skillsFolder(cli), 'empty', '')
    writeSkill(skillsFolder(cli), 'bare', 'Only words.\n')
    writeSkill(skillsFolder(cli), 'other', '---\nname: Other One\n---\nWords.\n')
    writeSkill(skillsFolder(cli), 'torn', '---\nname: [\n---\nWords.\n')
    writeSkill(join(path, '.agents', 'skills'), 'reading')
    writeSkill(join(path, '.claude', 'skills'), 'types')
    const result = await cli.onTerminal('skills', 'list', '--repo', path)
    expect(result.stdout).toContain('● reading  data folder  Read it twice\n')
    expect(result.stdout).toContain('○ reading  repository   ')
    expect(result.stdout).toContain('● types    repository   When to types\n')
    expect(result.stdout).toContain('○ empty    data folder  its SKILL.md is empty\n')
    expect(result.stderr).toBe("○ marks an unavailable skill. For details: muster skills show '…'\n")
    const skills = listOutput.parse((await cli.muster('skills', 'list', '--repo', path, '--json')).json())
    expect(skills.map(({ name, from, isUsable, notes }) => [name, from, isUsable, notes.length])).toEqual([
      ['bare', 'home', true, 1],
      ['empty', 'home', false, 0],
      ['other', 'home', true, 2],
      ['reading', 'home', true, 0],
      ['reading', 'repository', false, 0],
      ['torn', 'home', true, 1],
      ['types', 'repository', true, 0],
    ])
    expect(skills[2]?.notes).toEqual([
      'the front matter has the name Other One: write name: other',
      'the front matter has no description: write one',
    ])
    expect(skills[4]?.problems).toEqual([`${join(skillsFolder(cli), 'reading')} is used instead`])
  })

  test('the list of skills fits the terminal', async () => {
    const cli = makeCliHome()
    writeSkill(skillsFolder(cli), 'reading', `---\nname: reading\ndescription: ${'word '.repeat(30)}\n---\nRead.\n`)
    const world = { terminal: { columns: 60, rows: 24, colors: false } }
    const { stdout } = await cli.run(['skills', '--repo', testFolder()], { world })
    expect(stdout).toMatch(/^● reading  data folder  word word .*…\n$/)
    expect(widthOf(stdout.trimEnd())).toBeLessThanOrEqual(60)
  })

  test('`show` prints a skill, or suggests a similar name', async () => {
    const cli = makeCliHome()
    writeSkill(skillsFolder(cli), 'reading', skillText('reading', 'Read it twice.'))
    const page = await cli.muster('skills', 'show', 'reading')
    expect(page.stdout).toMatch(/^● reading {2}When to reading\n {2}folder .*\n {2}from .*your data folder/)
    expect(page.stdout).toContain('Read it twice.')
    expect(showOutput.parse((await cli.muster('skills', 'show', 'reading', '--json')).json())).toMatchObject({
      name: 'reading',
      text: skillText('reading', 'Read it twice.'),
    })
    const unknown = await cli.muster('skills', 'show', 'raeding')
    expect(unknown).toMatchObject({ code: 3, stdout: '' })
    expect(unknown.stderr).toBe('muster: There is no skill raeding. Did you mean reading?\n')
  })

  test('completion offers skills', async () => {
    const cli = makeCliHome()
    writeSkill(skillsFolder(cli), 'reading')
    const offered = async (...words: string[]) => (await cli.muster('__complete', 'fish', ...words)).stdout
    expect(await offered('create', 'x', '--skill', 're')).toBe('reading\t\n')
    expect(await offered('skills', 'show', 'rea')).toBe('reading\t\n')
  })
})

describe('a card that names skills', () => {
  test('`create` refuses all missing skills in one sentence, with similar names', async () => {
    const line = makeCommandLine()
    await line.muster('init')
    for (const name of ['reading', 'style', 'migrations']) writeSkill(skillsFolder(line), name)
    writeSkill(skillsFolder(line), 'empty', '')
    const flags = ['raeding', 'style', 'migration', 'empty', '../style', 'Style'].flatMap((name) => ['--skill', name])
    const result = await line.muster('create', 'x', ...flags)
    expect(result).toMatchObject({ code: 3, stdout: '' })
    expect(result.stderr).toBe(
      'muster: Skills raeding, migration, ../style and Style are not installed here; empty cannot be used: its SKILL.md ' +
        'is empty. Did you mean reading, migrations or style? To add a skill, write ' +
        `${join(skillsFolder(line), '<name>', 'SKILL.md')}.\n`,
    )
    const json = await line.muster('create', 'x', '--skill', 'banana', '--json')
    expect(JSON.parse(json.stderr)).toMatchObject({
      error: {
        code: 'skill_not_found',
        message: expect.stringContaining('Installed skills: migrations, reading, style.'),
        details: { field: 'skills', unknown: ['banana'], known: ['migrations', 'reading', 'style'] },
      },
    })
    expect((await line.muster('list', '--json')).json()).toEqual([])
  })

  test('a card may use only the skills of its own repository', async () => {
    const line = makeCommandLine()
    const { path } = makeRepository()
    writeSkill(join(path, '.claude', 'skills'), 'types')
    mkdirSync(join(path, 'inner'))
    for (const where of [`dir:${path}`, `dir:${join(path, 'inner')}`, `worktree:${path}`])
      expect(await line.create('x', '--skill', 'types', '--workspace', where)).toMatchObject({ skills: ['types'] })
    const { stderr } = await line.muster('create', 'x', '--skill', 'types')
    expect(stderr).toContain('No skills are installed.')
    expect(stderr).toContain('Skills of a repository are only for cards that work in it (--workspace dir:/path).\n')
    const elsewhere = await line.muster('create', 'x', '--skill', 'types', '--workspace', `dir:${testFolder()}`)
    expect(elsewhere.code).toBe(3)
    await line.muster('boards', 'set', 'default', `defaultDirectory=${path}`)
    expect(await line.create('x', '--skill', 'types', '--workspace', 'worktree')).toMatchObject({ skills: ['types'] })
    expect((await line.muster('create', 'x', '--skill', 'types')).code).toBe(3)
  })

  test("a card with `--skill none` has no skills, and a card without --skill has its agent's skills", async () => {
    const line = makeCommandLine()
    expect(await line.create('x', '--skill', 'none')).toMatchObject({ skills: [] })
    for (const [names, message] of [
      [['none', 'style'], 'use none alone'],
      [['reading,style'], 'give one skill per flag, as in --skill reading --skill style'],
      [[' '], 'give the name of a skill'],
    ] as const) {
      const { code, stderr } = await line.muster('create', 'x', ...names.flatMap((name) => ['--skill', name]))
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--skill: ${message}`)])
    }
    expect(await line.create('x')).toMatchObject({ skills: null })
  })

  test('`edit` refuses a skill that the new workspace does not have', async () => {
    const line = makeCommandLine()
    const { path } = makeRepository()
    writeSkill(skillsFolder(line), 'style')
    writeSkill(join(path, '.agents', 'skills'), 'types')
    const { id } = await line.create('x', '--skill', 'style')
    const refused = await line.muster('edit', id, '--skill', 'styl', '--title', 'other')
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toContain('Skill styl is not installed here. Did you mean style?')
    expect(await line.show(id)).toMatchObject({ title: 'x', skills: ['style'] })
    expect((await line.muster('edit', id, '--skill', 'types')).code).toBe(3)
    expect((await line.muster('edit', id, '--skill', 'types', '--workspace', `dir:${path}`)).code).toBe(0)
    expect((await line.muster('edit', id, '--skill', 'types', '--skill', 'style')).code).toBe(0)
    expect(await line.show(id)).toMatchObject({ skills: ['types', 'style'] })
    expect((await line.muster('edit', 't_zzzzzzzzzz', '--skill', 'style')).code).toBe(3)
  })
})

test('every `agents` command reports missing skills of an agent', async () => {
  const cli = makeCliHome()
  mkdirSync(join(cli.home, 'agents'), { recursive: true })
  writeFileSync(join(cli.home, 'agents', 'coder.md'), '---\nharness: shell\nskills: [reading, style]\n---\n')
  writeSkill(skillsFolder(cli), 'style')
  const problem =
    'Skill reading is not installed here. Its cards wait until that is fixed, unless their repository has the skill.'
  expect((await cli.muster('agents', 'list')).stdout).toContain(problem)
  expect((await cli.muster('agents', 'show', 'coder')).stdout).toMatch(
    /! Skill reading is not[\s\S]*skills +reading style/,
  )
  expect((await cli.muster('agents', 'check', 'coder')).stdout).toContain(problem)
  const hint = (await cli.muster('create', 'x', '--assignee', 'coder')).stderr
  expect(hint).toContain('The card waits: Skill reading is not installed here.\n  → Add ')
  writeSkill(skillsFolder(cli), 'reading')
  expect((await cli.muster('agents', 'show', 'coder', '--json')).json()).toMatchObject({
    skills: ['reading', 'style'],
    isUsable: true,
    problems: [],
  })
})
