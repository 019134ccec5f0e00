/**
 * Proves that the model gets a skill of the data folder, and can read a file beside the skill, with the permission
 * `edit`.
 */
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Testbed } from './testbed.ts'
import type { Cli } from './clis.ts'
import type { ModelReply } from './dialects/dialect.ts'

/** The tool call that loads the skill. Null means that the briefing contains the skill as text. */
const LOADS: Readonly<Record<Cli, ModelReply | null>> = {
  claude: { tool: 'Skill', input: { skill: 'muster:tuning' } },
  codex: null,
  opencode: { tool: 'skill', input: { name: 'tuning' } },
  gemini: { tool: 'activate_skill', input: { name: 'tuning' } },
}

export async function proveSkill(testbed: Testbed): Promise<string> {
  const folder = await writeSkill(testbed)
  const { read } = testbed.setup
  // An ACP agent gets the skill as text in its briefing.
  const load = testbed.agent === testbed.cli ? LOADS[testbed.cli] : null
  testbed.play(
    () => load ?? read(join(folder, 'more.md')),
    // OpenCode may need to download a program to load a skill. If the download fails, the model reads the file of the
    // skill instead.
    ({ conversation }) => read(join(folder, conversation.includes('clavichord') ? 'more.md' : 'SKILL.md')),
    () => read(join(folder, 'more.md')),
    () => ({ tool: 'kanban_complete', input: { summary: 'tuned' } }),
    () => ({ text: 'done' }),
  )
  await testbed.create('--assignee', 'editor', '--skill', 'tuning')
  await testbed.muster('dispatch', '--wait')
  const conversations = testbed.requests.map((request) => request.conversation).join('\n')
  if (!testbed.requests[0]?.conversation.includes('tuning')) return 'the briefing does not name the skill'
  if (testbed.cli !== 'opencode' && !testbed.requests[1]?.conversation.includes('clavichord'))
    return 'the skill was not loaded'
  if (!conversations.includes('clavichord')) return 'the model did not get the text of the skill'
  if (!conversations.includes('harpsichord'))
    return `the model could not read a file of the skill: ${testbed.requests.at(-1)?.lastMessage}`
  return ''
}

/** Writes the skill, and an agent file with the permission `edit`. */
async function writeSkill(testbed: Testbed): Promise<string> {
  const { file } = JSON.parse(await testbed.muster('agents', 'show', 'coder', '--json')) as { file: string }
  const text = readFileSync(file, 'utf8').replace('permissions: full', 'permissions: edit')
  writeFileSync(join(dirname(file), 'editor.md'), text)
  const home = dirname(dirname(file))
  const folder = join(dirname(home), 'kept', 'tuning')
  mkdirSync(folder, { recursive: true })
  // The skill is behind a link, because some people keep their skills in another folder.
  mkdirSync(join(home, 'skills'))
  symlinkSync(folder, join(home, 'skills', 'tuning'))
  const head = '---\nname: tuning\ndescription: How instruments are tuned here\n---\n'
  writeFileSync(join(folder, 'SKILL.md'), `${head}Begin with the clavichord, then see more.md.\n`)
  writeFileSync(join(folder, 'more.md'), 'The harpsichord comes last.\n')
  return realpathSync(folder)
}
