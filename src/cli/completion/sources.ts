/** Finds candidates in the store, the data folder and on the disk. Nothing is changed. */
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { expandTilde } from '../../util/paths.ts'
import { loadOptions } from '../../config/load.ts'
import { TASK_PREFIX } from '../../core/ids.ts'
import { parseLocation } from '../../storage/location.ts'
import { openStore } from '../../storage/open.ts'
import type { Store } from '../../storage/store.ts'
import { oneLine } from '../output/escape.ts'
import type { Completes } from '../manifest-entry.ts'
import type { World } from '../world.ts'
import type { WordCompletion, CompletionQuestion } from './question.ts'

/** The maximum number of candidates, because a board may have a million cards. */
const MAX_CANDIDATES = 200

type Source = (world: World, question: CompletionQuestion) => Promise<WordCompletion[]>

const SOURCES: Readonly<Record<Exclude<Completes, 'command'>, Source>> = {
  card: (world, question) => fromStore(world, question, cards),
  board: (world, question) => fromStore(world, question, boards),
  agent: async ({ env }) => {
    const { readRoster } = await import('../../agents/roster.ts')
    const { home } = await loadOptions(env)
    const { agents, broken } = await readRoster(home)
    return [...agents.keys(), ...broken.keys(), 'none'].map((value) => ({ value: oneLine(value) }))
  },
  skill: async ({ env }) => {
    const { SkillFinder } = await import('../../agents/skills/skill-finder.ts')
    const { home } = await loadOptions(env)
    const names = await new SkillFinder(home).usable([resolve('.')])
    return [...names, 'none'].map((value) => ({ value }))
  },
  setting: async () => {
    const { boardSettingsSchema } = await import('../../core/board.ts')
    const fields = Object.entries(boardSettingsSchema.shape)
    return fields.map(([key, { description = '' }]) => ({ value: `${key}=`, about: description }))
  },
  workspace: async (_, { typed }) => {
    const [, kind, path] = /^(dir:|worktree:)(.*)$/s.exec(typed) ?? []
    if (kind === undefined) return ['scratch', 'dir:', 'worktree', 'worktree:'].map((value) => ({ value }))
    if (!/^[/~]/.test(path ?? '')) return [{ value: `${kind}/` }]
    const folders = (await files(path ?? '')).filter(({ value }) => value.endsWith('/'))
    return folders.map(({ value }) => ({ value: `${kind}${value}` }))
  },
  file: (_, { typed }) => files(typed),
  atFile: async (_, { typed }) => {
    if (!typed.startsWith('@'))
      return [
        { value: '-', about: 'standard input' },
        { value: '@', about: 'a file' },
      ]
    return (await files(typed.slice(1))).map(({ value }) => ({ value: `@${value}` }))
  },
}

export async function answersFrom(world: World, question: CompletionQuestion): Promise<WordCompletion[]> {
  const { source } = question
  return source === null || source === 'command' ? [] : SOURCES[source](world, question)
}

async function fromStore(
  { env }: World,
  question: CompletionQuestion,
  find: (store: Store, board: string, typed: string) => Promise<WordCompletion[]>,
): Promise<WordCompletion[]> {
  const options = await loadOptions(env, { board: question.board })
  if (options.insideRun !== null) return []
  const store = await openStore(parseLocation(options.store), { mode: 'read' })
  try {
    return await find(store, options.board, question.typed)
  } finally {
    await store.close()
  }
}

/** Finds the first cards of the list, and the cards whose id begins with the typed text. */
async function cards(store: Store, board: string, typed: string): Promise<WordCompletion[]> {
  const begun = TASK_PREFIX.test(typed) ? await store.tasksByPrefix(typed) : []
  const listed = await store.tasks(board, { limit: MAX_CANDIDATES })
  const titles = new Map([...listed, ...begun].map(({ id, title }) => [id as string, oneLine(title)]))
  return [...titles].map(([value, about]) => ({ value, about }))
}

async function boards(store: Store): Promise<WordCompletion[]> {
  return (await store.boards()).map(({ slug, name, archivedAt }) => ({
    value: slug,
    about: `${oneLine(name)}${archivedAt === null ? '' : ' [archived]'}`,
  }))
}

/**
 * Offers files in the same way as a shell: hidden files only after a typed dot, and folders with a slash at the end.
 */
async function files(typed: string): Promise<WordCompletion[]> {
  const isFolder = typed === '' || typed.endsWith('/')
  const folder = isFolder ? typed : typed.slice(0, typed.length - basename(typed).length)
  const begin = isFolder ? '' : basename(typed)
  const where = resolve(expandTilde(folder === '' ? '.' : isFolder ? folder : dirname(join(folder, 'x'))))
  const entries = await readdir(where, { withFileTypes: true })
  return entries
    .filter(({ name }) => name.startsWith(begin) && (begin.startsWith('.') || !name.startsWith('.')))
    .slice(0, MAX_CANDIDATES)
    .map((entry) => ({ value: `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}` }))
}
