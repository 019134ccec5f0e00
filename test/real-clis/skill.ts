/** A skill of the home reaches the model with each CLI, and so does a file beside it, without wide permissions. */
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Arena } from './arena.ts'
import type { Cli } from './clis.ts'
import type { Said } from './dialects/dialect.ts'

/** How each CLI loads a skill; null: the briefing holds its text. */
const LOADS: Readonly<Record<Cli, Said | null>> = {
  claude: { tool: 'Skill', input: { skill: 'muster:tuning' } },
  codex: null,
  opencode: { tool: 'skill', input: { name: 'tuning' } },
  gemini: { tool: 'activate_skill', input: { name: 'tuning' } },
}

export async function proveSkill(arena: Arena): Promise<string> {
  const folder = await layOut(arena)
  const { read } = arena.setup
  // Whoever is spoken with by ACP is told it.
  const load = arena.agent === arena.cli ? LOADS[arena.cli] : null
  arena.play(
    () => load ?? read(join(folder, 'more.md')),
    // OpenCode fetches a program for this where it has none: without a network it is left with the file.
    ({ said }) => read(join(folder, said.includes('clavichord') ? 'more.md' : 'SKILL.md')),
    () => read(join(folder, 'more.md')),
    () => ({ tool: 'kanban_complete', input: { summary: 'tuned' } }),
    () => ({ text: 'done' }),
  )
  await arena.create('--assignee', 'held', '--skill', 'tuning')
  await arena.muster('dispatch', '--wait')
  const said = arena.asked.map((asked) => asked.said).join('\n')
  if (!arena.asked[0]?.said.includes('tuning')) return 'the model was not told of the skill'
  if (arena.cli !== 'opencode' && !arena.asked[1]?.said.includes('clavichord')) return 'the skill was not loaded'
  if (!said.includes('clavichord')) return 'the model was not told what the skill says'
  if (!said.includes('harpsichord')) return `the model could not read a file of the skill: ${arena.asked.at(-1)?.last}`
  return ''
}

/** Into the home that its agent's file is in, with an agent that may only edit. */
async function layOut(arena: Arena): Promise<string> {
  const { file } = JSON.parse(await arena.muster('agents', 'show', 'coder', '--json')) as { file: string }
  const text = readFileSync(file, 'utf8').replace('permissions: full', 'permissions: edit')
  writeFileSync(join(dirname(file), 'held.md'), text)
  const home = dirname(dirname(file))
  const folder = join(dirname(home), 'kept', 'tuning')
  mkdirSync(folder, { recursive: true })
  // As somebody does who keeps skills elsewhere.
  mkdirSync(join(home, 'skills'))
  symlinkSync(folder, join(home, 'skills', 'tuning'))
  const head = '---\nname: tuning\ndescription: How instruments are tuned here\n---\n'
  writeFileSync(join(folder, 'SKILL.md'), `${head}Begin with the clavichord, then see more.md.\n`)
  writeFileSync(join(folder, 'more.md'), 'The harpsichord comes last.\n')
  return realpathSync(folder)
}
