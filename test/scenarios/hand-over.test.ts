import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isTaskId } from '../../src/core/ids.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { MARKER, TRASH } from '../../src/workspaces/workspaces-root.ts'
import { BIN } from '../helpers/cli.ts'
import { makeRepository, testFolder } from '../helpers/repository.ts'
import { WAITS, finish, kindsOf, openHome, shellCard, startUp, untilBegun, untilStatus } from '../helpers/run-cards.ts'

/** A script that reads the files of its first parent through MUSTER_PARENTS. */
const READS_PARENT = `node -e '
  const [parent] = JSON.parse(process.env.MUSTER_PARENTS)
  process.stdout.write(require("fs").readFileSync(parent.workspace + "/word", "utf8"))
' > word && echo "and on" >> word`

test("cards of a chain read their parents' files, and snapshots remain after the folders are removed", async () => {
  const home = await openHome('sqlite')
  const { id: a } = await shellCard(home, 'echo first > word')
  const { id: b } = await shellCard(home, READS_PARENT, '--parent', a)
  const { id: c } = await shellCard(home, READS_PARENT, '--parent', b)
  const up = startUp(home, { MUSTER_WORKSPACE_STAYS_MS: '1' })
  for (const id of [a, b, c]) await untilStatus(home, id, 'done')
  const root = join(home.home, 'boards', 'default', 'workspaces')
  await home.until('the folders are gone', () => !readdirSync(root).some(isTaskId))
  up.child.kill('SIGTERM')
  expect((await up.ended).code).toBe(0)
  const { stdout } = await home.muster('snapshots', c, '--json')
  expect(JSON.parse(stdout)).toMatchObject([{ kind: 'archive', files: 1 }])
  const to = join(home.home, 'back')
  expect(await home.muster('restore', c, '--to', to)).toMatchObject({ code: 0 })
  expect(readFileSync(join(to, 'word'), 'utf8')).toBe('first\nand on\nand on\n')
  expect(await home.muster('restore', c, '--to', to)).toMatchObject({ code: 2 })
  expect(existsSync(join(root, c))).toBe(false)
  // After the sweep, the briefing names the snapshots of the card's own folder and of its parents' folders.
  expect((await home.muster('reopen', c)).code).toBe(0)
  const told = (await home.runInline('context', c)).stdout
  for (const id of [b, c]) {
    const [{ path }] = JSON.parse((await home.runInline('snapshots', id, '--json')).stdout) as [{ path: string }]
    expect(told).toContain(path)
  }
})

const MUSTER = `"${process.execPath}" "${BIN}"`

/** A script that records the parents' files from variables and briefing, then writes its own files. */
const reports = (out: string): string => `
${MUSTER} context "$MUSTER_TASK" > briefing
node -e '
  const { readFileSync, writeFileSync } = require("fs")
  const parents = JSON.parse(process.env.MUSTER_PARENTS).map((parent) => ({
    ...parent,
    word: readFileSync(parent.workspace + "/word", "utf8").trim(),
    artifacts: parent.artifacts.map((path) => ({ path, text: readFileSync(path, "utf8").trim() })),
  }))
  const briefing = readFileSync("briefing", "utf8")
  writeFileSync("${out}/" + process.env.MUSTER_TASK, JSON.stringify({ parents, briefing }))
'
rm briefing
echo "word of $MUSTER_TASK" > word`

/** A script that writes a file, then completes its card with an artifact and a summary. */
const FINISHES = `
echo "made by $MUSTER_TASK" > made
${MUSTER} complete "$MUSTER_TASK" --summary "$MUSTER_TASK is well" --artifact made`

interface Report {
  readonly parents: readonly {
    readonly id: TaskId
    readonly workspace: string
    readonly word: string
    readonly artifacts: readonly { readonly path: string; readonly text: string }[]
    readonly summary: string | null
  }[]
  readonly briefing: string
}

test("each card reads its parents' files, and only changed worktrees are kept", async () => {
  const home = await openHome('sqlite')
  const out = testFolder()
  const repo = makeRepository()
  const usual = `${reports(out)}\n${FINISHES}`
  const make = async (body: string, ...flags: string[]): Promise<TaskId> => (await shellCard(home, body, ...flags)).id
  const after = (...parents: TaskId[]): string[] => parents.flatMap((id) => ['--parent', id])
  const inWorktree = ['--workspace', `worktree:${repo.path}`]

  const a = await make(usual)
  const b = await make(usual, ...after(a))
  const c = await make(usual, ...after(b))
  const top = await make(usual)
  const [left, right] = [await make(usual, ...after(top)), await make(usual, ...after(top))]
  const bottom = await make(usual, ...after(left, right))
  const plain = await make(usual)
  const changed = await make(usual, ...after(plain), ...inWorktree)
  const clean = await make(`${reports(out)}\nrm word`, ...after(plain), ...inWorktree)
  const early = await make(usual)
  const holder = await make(`${WAITS}\n${usual}`, ...after(early))
  const busy = await make(`echo "word of $MUSTER_TASK" > word\n${WAITS}\n${usual}`)
  const waived = await make(usual, ...after(busy))
  const late = await make(usual, '--hold')

  // With this option, folders are swept as soon as possible.
  const up = startUp(home, { MUSTER_WORKSPACE_STAYS_MS: '1' })
  await untilBegun(home, busy)
  expect((await home.runInline('promote', waived, '--force')).code).toBe(0)
  await untilStatus(home, waived, 'done')
  await untilBegun(home, holder)
  expect((await home.runInline('link', early, late)).code).toBe(0)
  expect((await home.runInline('release', late)).code).toBe(0)
  for (const id of [busy, holder]) finish(home, id)
  const all = [a, b, c, top, left, right, bottom, plain, changed, clean, early, holder, busy, waived, late]
  for (const id of all) await untilStatus(home, id, 'done')

  const root = join(home.home, 'boards', 'default', 'workspaces')
  await home.until('the last folder is swept', () => readdirSync(root).filter(isTaskId).length === 1)
  up.child.kill('SIGTERM')
  expect((await up.ended).code).toBe(0)

  const parentsOf: readonly (readonly [TaskId, readonly TaskId[]])[] = [
    [b, [a]],
    [c, [b]],
    [left, [top]],
    [right, [top]],
    [bottom, [left, right]],
    [changed, [plain]],
    [clean, [plain]],
    [holder, [early]],
    [late, [early]],
  ]
  const reportOf = (id: TaskId): Report => JSON.parse(readFileSync(join(out, id), 'utf8')) as Report
  for (const [child, parents] of parentsOf) {
    const { parents: read, briefing } = reportOf(child)
    expect(read.map(({ id }) => id)).toEqual([...parents].sort())
    for (const { id, workspace, word, artifacts, summary } of read) {
      expect([workspace, word, summary]).toEqual([join(root, id), `word of ${id}`, `${id} is well`])
      expect(artifacts.map(({ text }) => text)).toEqual([`made by ${id}`])
      // The folder of the parent is gone by now, but the declared artifact still exists.
      for (const { path } of artifacts) expect(readFileSync(path, 'utf8')).toBe(`made by ${id}\n`)
      for (const told of [workspace, summary, ...artifacts.map(({ path }) => path)]) expect(briefing).toContain(told)
    }
  }
  // A card started while its parent works finds the files that exist so far.
  expect(reportOf(waived).parents).toMatchObject([{ id: busy, word: `word of ${busy}`, artifacts: [], summary: null }])

  expect(readdirSync(root).sort()).toEqual([MARKER, TRASH, changed].sort())
  expect(readdirSync(join(root, TRASH))).toEqual([])
  const { left: listed } = JSON.parse((await home.runInline('gc', '--json')).stdout) as {
    left: { path: string; reason: string }[]
  }
  expect(listed).toEqual([
    { path: join(root, changed), reason: expect.stringContaining(`--discard ${changed}`) as string },
  ])
  expect(repo.git('worktree', 'list').split('\n')).toHaveLength(2)
  expect(await kindsOf(home, early)).toContain('sweep_deferred')
})
