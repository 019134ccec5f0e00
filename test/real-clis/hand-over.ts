/**
 * Each CLI reads what its card was given: its parent's workspace and artifact, the card's own attachment and its whole
 * body. It can change none of them, and reads nothing else outside its workspace.
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
  /** A part of the content that the briefing does not show. */
  readonly end?: string
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
  const before = new Map<string, string>()
  const results: string[] = []
  const { read, changes } = arena.setup
  let briefing = ''
  let all: readonly Given[] = []
  let questions: readonly Said[] = []
  const begin = (asked: Asked): void => {
    briefing = asked.said
    all = [...given, bodyIn(briefing)]
    for (const { path } of all) before.set(path, namesBeside(path))
    questions = [
      ...all.map(({ path }) => read(path)),
      ...secrets.map(read),
      ...all.flatMap(({ path }) => changes(path)),
      { tool: 'kanban_complete', input: { summary: 'looked' } },
    ]
  }
  arena.play((asked) => {
    // The first question is the briefing, every later one the result of the call before it.
    if (questions.length === 0) begin(asked)
    else results.push(asked.last)
    return questions[results.length] ?? { text: 'done' }
  })
  await arena.muster('dispatch', '--wait')
  const { status } = await arena.card(child)
  const faults = [
    ...(status === 'done' ? [] : [`the card is ${status}`]),
    ...all.filter(({ named }) => !briefing.includes(named)).map(({ what }) => `the briefing does not name ${what}`),
    ...all.flatMap(({ what, content, end = content }, at) =>
      results[at]?.includes(end) === true ? [] : [`it could not read ${what}: ${results[at]?.slice(0, 300)}`],
    ),
    ...all.flatMap(({ what, path, content }) => (readFileSync(path, 'utf8') === content ? [] : [`it changed ${what}`])),
    ...all.flatMap(({ what, path }) =>
      namesBeside(path) === before.get(path) ? [] : [`it wrote a file beside ${what}: ${namesBeside(path)}`],
    ),
    ...(arena.setup.readsEverything ? [] : secrets).flatMap((path, at) =>
      results[all.length + at]?.includes(SECRET) === true ? [`it read ${path}`] : [],
    ),
  ]
  return faults.map((fault) => `with ${permissions}, ${fault}`)
}

const IN_WORKSPACE = 'left in the workspace'
const AS_ARTIFACT = 'left as an artifact'
const ATTACHED = 'attached to the card'
const LAST_LINE = 'the last line of the body'
/** Longer than a briefing shows. */
const LONG_BODY = `${'one of many lines of the body\n'.repeat(400)}${LAST_LINE}`
const SECRET = 'the secret of somebody else'

/** The whole body lies in a file of the run. */
function bodyIn(briefing: string): Given {
  const path = /\S+\/agent\/body\.md/.exec(briefing)?.[0].replace(/^\W+/, '/') ?? ''
  return { what: 'the whole body', path, named: path, content: LONG_BODY, end: LAST_LINE }
}

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
  const child = await arena.create('--parent', parent, '--workspace', `dir:${workspace}`, '--body', LONG_BODY)
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
