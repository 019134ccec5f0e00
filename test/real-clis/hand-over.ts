/**
 * Proves that each CLI can read the files that its card was given: its parent's workspace and artifact, the card's own
 * attachment and its whole body. The CLI can change none of these files, and can read nothing else outside its
 * workspace.
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Testbed } from './testbed.ts'
import { MUSTER } from './testbed.ts'
import type { ModelRequest, ModelReply } from './dialects/dialect.ts'

interface GivenFile {
  readonly what: string
  readonly path: string
  /** The path that the briefing names: that of the file or of a folder that contains it. */
  readonly named: string
  readonly content: string
  /** The end of the content, which the briefing does not show. */
  readonly end?: string
}

interface PreparedCards {
  readonly child: string
  readonly given: readonly GivenFile[]
  /** Files outside the workspace that the card was not given. */
  readonly secrets: readonly string[]
}

/** Runs the proof with files outside /tmp, because sandboxes allow commands to write to /tmp. */
export async function proveHandOver(testbed: Testbed): Promise<readonly string[]> {
  const elsewhere = mkdtempSync('/var/tmp/muster-hand-over-')
  try {
    const faults = [
      await proveWith(testbed, 'read', join(elsewhere, 'read')),
      await proveWith(testbed, 'edit', join(elsewhere, 'edit')),
    ]
    return faults.flat()
  } finally {
    testbed.permit('full')
    rmSync(elsewhere, { recursive: true })
  }
}

async function proveWith(testbed: Testbed, permissions: 'read' | 'edit', folder: string): Promise<readonly string[]> {
  testbed.permit(permissions)
  const { child, given, secrets } = await prepareCards(testbed, folder)
  const before = new Map<string, string>()
  const results: string[] = []
  const { read, changes } = testbed.setup
  let briefing = ''
  let all: readonly GivenFile[] = []
  let questions: readonly ModelReply[] = []
  const begin = (request: ModelRequest): void => {
    briefing = request.conversation
    all = [...given, bodyIn(briefing)]
    for (const { path } of all) before.set(path, namesBeside(path))
    questions = [
      ...all.map(({ path }) => read(path)),
      ...secrets.map(read),
      ...all.flatMap(({ path }) => changes(path)),
      { tool: 'kanban_complete', input: { summary: 'looked' } },
    ]
  }
  testbed.play((request) => {
    // The first request contains the briefing. Every later request contains the result of the last call.
    if (questions.length === 0) begin(request)
    else results.push(request.lastMessage)
    return questions[results.length] ?? { text: 'done' }
  })
  await testbed.muster('dispatch', '--wait')
  const { status } = await testbed.card(child)
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
    ...(testbed.setup.readsEverything ? [] : secrets).flatMap((path, at) =>
      results[all.length + at]?.includes(SECRET) === true ? [`it read ${path}`] : [],
    ),
  ]
  return faults.map((fault) => `with ${permissions}, ${fault}`)
}

const IN_WORKSPACE = 'left in the workspace'
const AS_ARTIFACT = 'left as an artifact'
const ATTACHED = 'attached to the card'
const LAST_LINE = 'the last line of the body'
/** A body that is longer than the part of it in a briefing. */
const LONG_BODY = `${'one of many lines of the body\n'.repeat(400)}${LAST_LINE}`
const SECRET = 'the secret of another card'

/** Returns the file of the run that has the whole body. */
function bodyIn(briefing: string): GivenFile {
  const path = /\S+\/agent\/body\.md/.exec(briefing)?.[0].replace(/^\W+/, '/') ?? ''
  return { what: 'the whole body', path, named: path, content: LONG_BODY, end: LAST_LINE }
}

const namesBeside = (path: string): string => readdirSync(dirname(path)).toSorted().join(', ')

/** Prepares a parent whose run left files in a scratch folder and one artifact, and a child with an attachment. */
async function prepareCards(testbed: Testbed, base: string): Promise<PreparedCards> {
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
  const parent = await testbed.create('--assignee', 'shell', '--body', body.join('\n'))
  const child = await testbed.create('--parent', parent, '--workspace', `dir:${workspace}`, '--body', LONG_BODY)
  const other = await testbed.create('--assignee', 'nobody')
  const attachment = join(base, 'brief.txt')
  writeFileSync(attachment, ATTACHED)
  await testbed.muster('attach', child, attachment)
  await testbed.muster('attach', other, secret)
  await testbed.muster('dispatch', '--wait')
  const { workspace: left, attachments } = await testbed.card(parent)
  const stored = join(testbed.home, 'boards', 'default', 'attachments')
  const folder = left.path ?? ''
  const artifact = join(stored, parent, attachments[0]?.filename ?? '')
  const attached = join(stored, child, basename(attachment))
  await testbed.muster('archive', other)
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
