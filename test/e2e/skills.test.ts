// Tests skills through the real binary. The agents are programs that store their briefing; the CLIs replay recordings
// of the real CLIs.
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { writeAgent } from '../helpers/run-cards.ts'
import { makeRepository } from '../helpers/repository.ts'
import { skillText, writeSkill } from '../helpers/skills.ts'

const REPLAY = join(import.meta.dirname, '..', 'fixtures', 'clis', 'replay.mjs')
const CLIS = ['claude', 'codex', 'opencode', 'gemini'] as const

const skillsFolderOf = ({ home }: TestHome): string => join(home, 'skills')

/** The file of an agent whose program stores its briefing. */
const SCRIBE = 'harness: command\nargs: [/bin/sh, -c, "cat >told; echo done"]'

test('an agent gets the skills of its card, or else those of its agent file', async () => {
  const home = makeTestHome('sqlite')
  home.env['MUSTER_WORKSPACE_STAYS_MS'] = '600000'
  const reading = writeSkill(skillsFolderOf(home), 'reading', skillText('reading', 'Read it twice.'))
  writeSkill(skillsFolderOf(home), 'style', skillText('style', 'Short lines.'))
  writeAgent(home, 'scribe', `${SCRIBE}\nskills: [reading]`, 'Work.\n')
  const byFile = await home.create('a', '--assignee', 'scribe')
  const byCard = await home.create('b', '--assignee', 'scribe', '--skill', 'style')
  const none = await home.create('c', '--assignee', 'scribe', '--skill', 'none')
  // `muster context` shows the same text as the briefing.
  expect((await home.runInline('context', byFile.id)).stdout).toContain('Read it twice.')
  await home.dispatch('--wait')
  const told = ({ id }: typeof byFile): string => readFileSync(home.workspace(id, 'told'), 'utf8')
  expect(told(byFile)).toContain(`- \`reading\`: see below; its folder is \`${realpathSync(reading)}\``)
  expect(told(byFile)).toContain('### Skill `reading`\n\n```text\nRead it twice.\n```')
  expect(told(byFile)).not.toContain('When to reading')
  expect(told(byCard)).toContain('Short lines.')
  expect(told(byCard)).not.toContain('Read it twice.')
  expect(told(none)).not.toContain('## Skills')
})

test('a CLI that can load skills loads them, and any other agent reads them in the briefing', async () => {
  const home = makeTestHome('sqlite')
  const folder = mkdtempSync(join(tmpdir(), 'muster-clis-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const cli of CLIS) symlinkSync(REPLAY, join(folder, cli))
  const PATH = [folder, process.env['PATH']].join(delimiter)
  Object.assign(home.env, { PATH, HOME: folder, MUSTER_WORKSPACE_STAYS_MS: '600000' })
  writeSkill(skillsFolderOf(home), 'reading', skillText('reading', 'Read it twice.'))
  const cards = await Promise.all(
    CLIS.map(async (cli) => {
      writeAgent(home, cli, `harness: ${cli}\nargs: ["replay:success"]`, 'Work.\n')
      return home.create('replayed', '--assignee', cli, '--skill', 'reading')
    }),
  )
  await home.dispatch('--wait')
  const words = {
    claude: ': load `muster:reading`, one of your own skills',
    opencode: ': load `reading`, one of your own skills',
    gemini: ': load `reading`, one of your own skills',
    codex: ': see below',
  }
  for (const [at, cli] of CLIS.entries()) {
    const id = cards[at]?.id
    if (id === undefined) throw new Error(`there is no card for ${cli}`)
    expect(await home.show(id)).toMatchObject({ status: 'done' })
    const { stdin } = JSON.parse(readFileSync(home.workspace(id, 'told.1.json'), 'utf8')) as { stdin: string }
    expect(stdin).toContain(`- \`reading\`${words[cli]}`)
    expect([cli, stdin.includes('Read it twice.')]).toEqual([cli, cli === 'codex'])
  }
})

test('worktrees have the skills of their repository, committed or not', async () => {
  const home = makeTestHome('sqlite')
  home.env['MUSTER_WORKSPACE_STAYS_MS'] = '600000'
  const repository = makeRepository()
  const skillsFolder = join(repository.path, '.agents', 'skills')
  writeSkill(skillsFolder, 'types', skillText('types', 'As it was committed.'))
  repository.commit('a skill')
  writeSkill(skillsFolder, 'types', skillText('types', 'As it is by now.'))
  const fresh = writeSkill(skillsFolder, 'fresh', skillText('fresh', 'Not committed yet.'))
  writeAgent(home, 'scribe', SCRIBE, 'Work.\n')
  const skills = ['--skill', 'types', '--skill', 'fresh']
  const { id } = await home.create('a', '--assignee', 'scribe', '--workspace', `worktree:${repository.path}`, ...skills)
  await home.dispatch('--wait')
  const told = readFileSync(home.workspace(id, 'told'), 'utf8')
  expect(told).toContain('As it was committed.')
  expect(told).toContain(`its folder is \`${fresh}\``)
  expect(told).toContain('Not committed yet.')
})

test('a worker that names an unknown skill sees the known skills', async () => {
  const home = makeTestHome('sqlite')
  writeSkill(skillsFolderOf(home), 'reading')
  const body = '"$MUSTER" create sub --skill raeding 2>said; cat said; grep -q "Did you mean reading" said'
  home.env['MUSTER'] = join(import.meta.dirname, '..', '..', 'muster')
  writeAgent(home, 'shelly', 'harness: shell\nenv: [MUSTER]', 'Work.\n')
  const { id } = await home.create('a', '--assignee', 'shelly', '--body', body)
  await home.dispatch('--wait')
  expect(await home.show(id)).toMatchObject({ status: 'done' })
  expect(JSON.parse((await home.runInline('list', '--json')).stdout)).toHaveLength(1)
})
