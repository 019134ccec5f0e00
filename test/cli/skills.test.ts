// Skills without a process: lists, pages, and what is refused. Agents with skills are in test/e2e/skills.test.ts.
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

const shelfOf = ({ home }: { readonly home: string }): string => join(home, 'skills')

describe('muster skills', () => {
  test('without skills explains how to write one, and creates nothing', async () => {
    const cli = makeCliHome()
    const { code, stdout } = await cli.muster('skills', '--repo', testFolder())
    expect(code).toBe(0)
    expect(stdout).toContain('(no skills yet)\n')
    expect(stdout).toContain(join(cli.home, 'skills', 'reading', 'SKILL.md'))
    expect(stdout).toContain('muster create "Fix the parser" --skill reading')
    expect((await cli.muster('skills', 'list', '--repo', testFolder(), '--json')).json()).toEqual([])
    expect(readdirSync(cli.around)).toEqual([])
  })

  test('lists each skill with its description, its source and its problem', async () => {
    const cli = makeCliHome()
    const { path } = makeRepository()
    writeSkill(shelfOf(cli), 'reading', '---\nname: reading\ndescription: >\n  Read\n  it twice\n---\nRead.\n')
    writeSkill(shelfOf(cli), 'empty', '')
    writeSkill(shelfOf(cli), 'bare', 'Only words.\n')
    writeSkill(shelfOf(cli), 'other', '---\nname: Other One\n---\nWords.\n')
    writeSkill(shelfOf(cli), 'torn', '---\nname: [\n---\nWords.\n')
    writeSkill(join(path, '.agents', 'skills'), 'reading')
    writeSkill(join(path, '.claude', 'skills'), 'types')
    const said = await cli.muster('skills', 'list', '--repo', path)
    expect(said.stdout).toContain('● reading  home        Read it twice\n')
    expect(said.stdout).toContain('○ reading  repository  ')
    expect(said.stdout).toContain('● types    repository  When to types\n')
    expect(said.stdout).toContain('○ empty    home        its SKILL.md is empty\n')
    expect(said.stderr).toBe("○ unavailable; for details: muster skills show '…'\n")
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
      'its head calls it Other One: write name: other',
      'its head does not say what it is for: write a description',
    ])
    expect(skills[4]?.problems).toEqual([`${join(shelfOf(cli), 'reading')} is used instead`])
  })

  test('a list fits the terminal', async () => {
    const cli = makeCliHome()
    writeSkill(shelfOf(cli), 'reading', `---\nname: reading\ndescription: ${'word '.repeat(30)}\n---\nRead.\n`)
    const world = { terminal: { columns: 60, rows: 24, colors: false } }
    const { stdout } = await cli.run(['skills', '--repo', testFolder()], { world })
    expect(stdout).toMatch(/^● reading  home        word word .*…\n$/)
    expect(widthOf(stdout.trimEnd())).toBeLessThanOrEqual(60)
  })

  test('shows a skill, or the nearest name if it does not exist', async () => {
    const cli = makeCliHome()
    writeSkill(shelfOf(cli), 'reading', skillText('reading', 'Read it twice.'))
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

  test('Tab offers them', async () => {
    const cli = makeCliHome()
    writeSkill(shelfOf(cli), 'reading')
    const offered = async (...words: string[]) => (await cli.muster('__complete', 'fish', ...words)).stdout
    expect(await offered('create', 'x', '--skill', 're')).toBe('reading\t\n')
    expect(await offered('skills', 'show', 'rea')).toBe('reading\t\n')
  })
})

describe('a card that names skills', () => {
  test('is refused with all that are not here in one sentence, and the nearest of those that are', async () => {
    const line = makeCommandLine()
    await line.muster('init')
    for (const name of ['reading', 'style', 'migrations']) writeSkill(shelfOf(line), name)
    writeSkill(shelfOf(line), 'empty', '')
    const flags = ['raeding', 'style', 'migration', 'empty', '../style', 'Style'].flatMap((name) => ['--skill', name])
    const said = await line.muster('create', 'x', ...flags)
    expect(said).toMatchObject({ code: 3, stdout: '' })
    expect(said.stderr).toBe(
      'muster: Skills raeding, migration, ../style and Style are not installed here; empty cannot be used: its SKILL.md ' +
        'is empty. Did you mean reading, migrations or style? A new one begins with ' +
        `${join(shelfOf(line), '<name>', 'SKILL.md')}.\n`,
    )
    const json = await line.muster('create', 'x', '--skill', 'banana', '--json')
    expect(JSON.parse(json.stderr)).toMatchObject({
      error: {
        code: 'skill_not_found',
        message: expect.stringContaining('There are migrations, reading, style.'),
        details: { field: 'skills', unknown: ['banana'], known: ['migrations', 'reading', 'style'] },
      },
    })
    expect((await line.muster('list', '--json')).json()).toEqual([])
  })

  test('may name those of the repository that it works in, and no others', async () => {
    const line = makeCommandLine()
    const { path } = makeRepository()
    writeSkill(join(path, '.claude', 'skills'), 'types')
    mkdirSync(join(path, 'inner'))
    for (const where of [`dir:${path}`, `dir:${join(path, 'inner')}`, `worktree:${path}`])
      expect(await line.create('x', '--skill', 'types', '--workspace', where)).toMatchObject({ skills: ['types'] })
    const { stderr } = await line.muster('create', 'x', '--skill', 'types')
    expect(stderr).toContain('No skills are installed.')
    expect(stderr).toContain('Those of a repository are for cards that work there: workspace dir:/path.\n')
    const elsewhere = await line.muster('create', 'x', '--skill', 'types', '--workspace', `dir:${testFolder()}`)
    expect(elsewhere.code).toBe(3)
    await line.muster('boards', 'set', 'default', `defaultDirectory=${path}`)
    expect(await line.create('x', '--skill', 'types', '--workspace', 'worktree')).toMatchObject({ skills: ['types'] })
    expect((await line.muster('create', 'x', '--skill', 'types')).code).toBe(3)
  })

  test('has none with the word none, and those of its agent without a word', async () => {
    const line = makeCommandLine()
    expect(await line.create('x', '--skill', 'none')).toMatchObject({ skills: [] })
    for (const [words, message] of [
      [['none', 'style'], 'use none alone'],
      [['reading,style'], 'give one skill per flag, as in --skill reading --skill style'],
      [[' '], 'give the name of a skill'],
    ] as const) {
      const { code, stderr } = await line.muster('create', 'x', ...words.flatMap((word) => ['--skill', word]))
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--skill: ${message}`)])
    }
    expect(await line.create('x')).toMatchObject({ skills: null })
  })

  test('is edited by the same rule, and for where it is to work', async () => {
    const line = makeCommandLine()
    const { path } = makeRepository()
    writeSkill(shelfOf(line), 'style')
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

test('an agent with missing skills is reported in every agents command', async () => {
  const cli = makeCliHome()
  mkdirSync(join(cli.home, 'agents'), { recursive: true })
  writeFileSync(join(cli.home, 'agents', 'coder.md'), '---\nharness: shell\nskills: [reading, style]\n---\n')
  writeSkill(shelfOf(cli), 'style')
  const problem = 'Skill reading is not installed here. Cards wait for that, unless their repository has it.'
  expect((await cli.muster('agents', 'list')).stdout).toContain(problem)
  expect((await cli.muster('agents', 'show', 'coder')).stdout).toMatch(
    /! Skill reading is not[\s\S]*skills +reading style/,
  )
  expect((await cli.muster('agents', 'check', 'coder')).stdout).toContain(problem)
  const hint = (await cli.muster('create', 'x', '--assignee', 'coder')).stderr
  expect(hint).toContain('The card waits: Skill reading is not installed here.\n  → Add ')
  writeSkill(shelfOf(cli), 'reading')
  expect((await cli.muster('agents', 'show', 'coder', '--json')).json()).toMatchObject({
    skills: ['reading', 'style'],
    isUsable: true,
    problems: [],
  })
})
