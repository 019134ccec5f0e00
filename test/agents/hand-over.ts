/**
 * Each CLI reads what its card was given: its parent's workspace and artifact, and the card's own attachment. It can
 * change none of them, and reads nothing else outside its workspace.
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Arena } from './arena.ts'
import { MUSTER } from './arena.ts'
import type { Asked, Said } from './dialects/dialect.ts'

interface Given {
  readonly what: string
  readonly path: string
  /** The path in the briefing: of the file, or of a folder around it. */
  readonly named: string
  readonly content: string
}

interface Laid {
  readonly child: string
  readonly given: readonly Given[]
  /** Files outside the workspace that nobody gave to the card. */
  readonly secrets: readonly string[]
}

/** Sandboxes let commands write to temporary folders, so the files lie elsewhere. */
export async function proveHandOver(arena: Arena): Promise<readonly string[]> {
  const elsewhere = mkdtempSync('/var/tmp/muster-hand-over-')
  try {
    const faults = [
      await proveWith(arena, 'read', join(elsewhere, 'read')),
      await proveWith(arena, 'edit', join(elsewhere, 'edit')),
    ]
    return faults.flat()
  } finally {
    arena.permit('full')
    rmSync(elsewhere, { recursive: true })
  }
}

async function proveWith(arena: Arena, permissions: 'read' | 'edit', folder: string): Promise<readonly string[]> {
  arena.permit(permissions)
  const { child, given, secrets } = await layOut(arena, folder)
  const before = given.map(({ path }) => namesBeside(path))
  const results: string[] = []
  const ask = (said: Said, at: number) => (asked: Asked) => {
    // The first question is the briefing.
    if (at > 0) results.push(asked.last)
    return said
  }
  const { read } = arena.setup
  const attempts = given.flatMap(({ path }) => arena.setup.changes(path))
  const questions = [
    ...given.map(({ path }) => read(path)),
    ...secrets.map(read),
    ...attempts,
    { tool: 'kanban_complete', input: { summary: 'looked' } },
    { text: 'done' },
  ]
  arena.play(...questions.map(ask))
  await arena.muster('dispatch', '--wait')
  const briefing = arena.asked[0]?.said ?? ''
  const { status } = await arena.card(child)
  const faults = [
    ...(status === 'done' ? [] : [`the card is ${status}`]),
    ...given.filter(({ named }) => !briefing.includes(named)).map(({ what }) => `the briefing does not name ${what}`),
    ...given.flatMap(({ what, content }, at) =>
      results[at]?.includes(content) === true ? [] : [`it could not read ${what}: ${results[at]?.slice(0, 300)}`],
    ),
    ...given.flatMap(({ what, path, content }) =>
      readFileSync(path, 'utf8') === content ? [] : [`it changed ${what}`],
    ),
    ...given.flatMap(({ what, path }, at) =>
      namesBeside(path) === before[at] ? [] : [`it wrote a file beside ${what}: ${namesBeside(path)}`],
    ),
    ...(arena.setup.readsEverything ? [] : secrets).flatMap((path, at) =>
      results[given.length + at]?.includes(SECRET) === true ? [`it read ${path}`] : [],
    ),
  ]
  return faults.map((fault) => `with ${permissions}, ${fault}`)
}

const IN_WORKSPACE = 'left in the workspace'
const AS_ARTIFACT = 'left as an artifact'
const ATTACHED = 'attached to the card'
const SECRET = 'the secret of somebody else'

const namesBeside = (path: string): string => readdirSync(dirname(path)).toSorted().join(', ')

/** A parent whose run left files in a scratch folder and one artifact, and its child with an attachment. */
async function layOut(arena: Arena, base: string): Promise<Laid> {
  const workspace = join(base, 'workspace')
  mkdirSync(workspace, { recursive: true })
  const secret = join(base, 'secret.txt')
  writeFileSync(secret, SECRET)
  const program = `'${process.execPath}' '${MUSTER}'`
  const body = [
    `printf '${IN_WORKSPACE}' > notes.txt`,
    `printf '${AS_ARTIFACT}' > report.md`,
    `${program} complete "$MUSTER_TASK" --summary "left both" --artifact report.md`,
  ]
  const parent = await arena.create('--assignee', 'shell', '--body', body.join('\n'))
  const child = await arena.create('--parent', parent, '--workspace', `dir:${workspace}`)
  const other = await arena.create('--assignee', 'nobody')
  const attachment = join(base, 'brief.txt')
  writeFileSync(attachment, ATTACHED)
  await arena.muster('attach', child, attachment)
  await arena.muster('attach', other, secret)
  await arena.muster('dispatch', '--wait')
  const { workspace: left, attachments } = await arena.card(parent)
  const stored = join(arena.home, 'boards', 'default', 'attachments')
  const folder = left.path ?? ''
  const artifact = join(stored, parent, attachments[0]?.filename ?? '')
  const attached = join(stored, child, basename(attachment))
  await arena.muster('archive', other)
  return {
    child,
    given: [
      { what: 'the file of its parent', path: join(folder, 'notes.txt'), named: folder, content: IN_WORKSPACE },
      { what: 'the artifact of its parent', path: artifact, named: artifact, content: AS_ARTIFACT },
      { what: 'its attachment', path: attached, named: attached, content: ATTACHED },
    ],
    secrets: [secret, join(stored, other, basename(secret))],
  }
}
