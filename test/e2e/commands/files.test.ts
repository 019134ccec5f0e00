// Tests the files of cards through the real binary: attach, attachments, detach, complete --artifact, and files of
// deleted cards.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { TaskId } from '../../../src/core/ids.ts'
import { attachmentView, taskView } from '../../../src/operations/shared/views.ts'
import { BIN, makeCommandHome } from '../../helpers/cli.ts'
import type { TestHome } from '../../helpers/cli.ts'
import { SURFACE_ENGINES } from '../../helpers/stores.ts'

const MEGA = 1024 * 1024

/** Writes a file beside the data folder. */
function fileAt(home: TestHome, name: string, content: string | Uint8Array = name): string {
  const path = join(home.home, '..', name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  return path
}

const filesOf = (home: TestHome, id: TaskId): string => join(home.home, 'boards/default/attachments', id)

/** Returns the error code in the JSON on standard error. */
const codeOf = (stderr: string): string => (JSON.parse(stderr) as { error: { code: string } }).error.code

async function attachments(home: TestHome, id: TaskId) {
  const { code, stdout, stderr } = await home.muster('attachments', id, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return z.array(attachmentView.strict()).parse(JSON.parse(stdout))
}

describe.each(SURFACE_ENGINES)('files of cards (%s)', (engine) => {
  test('a person can attach, list and detach a file', async () => {
    const home = makeCommandHome(engine)
    const card = await home.create('A card')
    const path = fileAt(home, 'plan.md', 'the plan')
    const { code, stdout, stderr } = await home.muster('attach', card.id, path, '--type', 'text/markdown', '--json')
    expect([code, stderr]).toEqual([0, ''])
    const kept = attachmentView.strict().parse(JSON.parse(stdout))
    expect(kept).toMatchObject({
      filename: 'plan.md',
      size: 8,
      contentType: 'text/markdown',
      uploadedBy: 'tester',
      path: join(filesOf(home, card.id), 'plan.md'),
    })
    expect(readFileSync(kept.path ?? '', 'utf8')).toBe('the plan')
    expect(statSync(kept.path ?? '').mode & 0o777).toBe(0o600)

    const again = await home.muster('attach', card.id, path)
    expect(again).toMatchObject({
      code: 0,
      stdout: `Attached plan (1).md (8 B) to ${card.id}\n`,
      stderr: 'The name of the file was changed to plan (1).md.\n',
    })
    expect(await attachments(home, card.id)).toEqual([kept, expect.objectContaining({ filename: 'plan (1).md' })])
    expect((await home.muster('attachments', card.id)).stdout).toContain(`${kept.id}\tplan.md\t8\t${kept.path}\n`)
    expect((await home.show(card.id)).events.map(({ kind }) => kind)).toEqual(['created', 'attached', 'attached'])

    const gone = await home.muster('detach', card.id, 'plan.md', '--json')
    expect([gone.code, attachmentView.strict().parse(JSON.parse(gone.stdout)).id]).toEqual([0, kept.id])
    const [left] = await attachments(home, card.id)
    expect((await home.muster('detach', card.id, left?.id ?? '')).stdout).toBe(`Removed plan (1).md from ${card.id}\n`)
    expect(await attachments(home, card.id)).toEqual([])
    expect(readdirSync(filesOf(home, card.id))).toEqual([])
    const missing = await home.muster('detach', card.id, 'plan.md', '--json')
    expect([missing.code, missing.stdout, codeOf(missing.stderr)]).toEqual([3, '', 'attachment_not_found'])
  })

  test('a file that cannot be attached is refused in one sentence', async () => {
    const home = makeCommandHome(engine)
    const card = await home.create('A card')
    const small = fileAt(home, 'small')
    const cases: [number, string, string[]][] = [
      [2, 'it does not exist', [card.id, join(home.home, 'nothing')]],
      [2, 'it is a folder', [card.id, home.home]],
      [2, '25 MiB', [card.id, fileAt(home, 'large', Buffer.alloc(25 * MEGA + 1))]],
      [2, 'is not a valid file name', [card.id, small, '--name', '../']],
      [2, '--type: use a media type', [card.id, small, '--type', 'text']],
      [3, 'There is no card', ['t_zzzzzzzzzz', small]],
    ]
    for (const [exit, words, args] of cases) {
      const { code, stdout, stderr } = await home.muster('attach', ...args)
      expect([code, stdout]).toEqual([exit, ''])
      expect(stderr).toMatch(/^muster: [^\n]*\n$/)
      expect(stderr).toContain(words)
    }
    const kept = filesOf(home, card.id)
    expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([])
    expect(await attachments(home, card.id)).toEqual([])

    const climbing = await home.muster('attach', card.id, small, '--name', '../../../../etc/\x1b[31mpasswd')
    expect(climbing.stdout).toBe(`Attached [31mpasswd (5 B) to ${card.id}\n`)
    expect(readdirSync(kept)).toEqual(['[31mpasswd'])
  })

  test('a link in the data folder cannot redirect an attachment', async () => {
    const home = makeCommandHome(engine)
    const card = await home.create('A card')
    const outside = join(home.home, '..', 'outside')
    mkdirSync(outside)
    mkdirSync(join(home.home, 'boards/default'), { recursive: true })
    symlinkSync(outside, join(home.home, 'boards/default/attachments'))
    const { code, stderr } = await home.muster('attach', card.id, fileAt(home, 'x'), '--json')
    expect([code, codeOf(stderr)]).toEqual([1, 'store_io'])
    expect(readdirSync(outside)).toEqual([])
    expect(await attachments(home, card.id)).toEqual([])
  })

  test('files with one name that are attached at once get different names', async () => {
    const home = makeCommandHome(engine)
    const card = await home.create('A card')
    const path = fileAt(home, 'log.txt')
    const answers = await Promise.all(Array.from({ length: 5 }, () => home.muster('attach', card.id, path, '--json')))
    const kept = answers.map(({ stdout }) => attachmentView.parse(JSON.parse(stdout)))
    const names = ['log (1).txt', 'log (2).txt', 'log (3).txt', 'log (4).txt', 'log.txt']
    expect(kept.map(({ filename }) => filename).sort()).toEqual(names)
    expect(readdirSync(filesOf(home, card.id)).sort()).toEqual(names)
    expect(await attachments(home, card.id)).toHaveLength(5)
  })

  test('the files of a deleted card survive gc and return with undelete', async () => {
    const home = makeCommandHome(engine)
    const card = await home.create('A card')
    await home.muster('attach', card.id, fileAt(home, 'plan.md', 'the plan'))
    expect(await home.muster('delete', card.id)).toMatchObject({ code: 0 })
    expect(await home.muster('attachments', card.id)).toMatchObject({ code: 3 })
    expect(await home.muster('gc', '--yes', '--json')).toMatchObject({ code: 0 })
    expect(await home.muster('undelete', card.id)).toMatchObject({ code: 0 })
    const [kept] = await attachments(home, card.id)
    expect(readFileSync(kept?.path ?? '', 'utf8')).toBe('the plan')
  })

  test('`complete` attaches all its artifacts or changes nothing', async () => {
    const home = makeCommandHome(engine)
    const [card, child] = [await home.create('A card'), await home.create('Next')]
    await home.muster('link', card.id, child.id)
    const [one, two] = [fileAt(home, 'report.txt'), fileAt(home, 'other/report.txt', 'another')]
    const wrong = await home.muster('complete', card.id, '--artifact', one, '--artifact', '/no/such/file', '--json')
    expect(wrong.code).toBe(2)
    expect(JSON.parse(wrong.stdout)).toMatchObject([
      { ok: false, error: { code: 'invalid_input', message: expect.stringContaining('/no/such/file') } },
    ])
    expect(await home.show(card.id)).toMatchObject({ status: 'ready', attachments: [] })
    const waits = await home.muster('complete', child.id, '--artifact', one, '--json')
    expect([waits.code, JSON.parse(waits.stdout)]).toMatchObject([1, [{ error: { code: 'parents_open' } }]])
    const folder = join(home.home, 'boards/default/attachments')
    const left = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
    expect(left.filter((name) => statSync(join(folder, name)).isFile())).toEqual([])

    const metadata = JSON.stringify({ tests: 3, artifacts: ['https://example.org/build'] })
    const args = ['--artifact', one, '--artifact', two, '--artifact', one, '--metadata', metadata]
    const { code, stdout } = await home.muster('complete', card.id, ...args, '--json')
    expect(code).toBe(0)
    const [answer] = z.array(z.object({ ok: z.literal(true), task: taskView })).parse(JSON.parse(stdout))
    const names = ['report.txt', 'report (1).txt']
    expect(answer?.task).toMatchObject({
      status: 'done',
      metadata: { tests: 3, artifacts: ['https://example.org/build', ...names] },
    })
    const kept = await attachments(home, card.id)
    expect(kept.map(({ filename }) => filename)).toEqual(names)
    expect(kept.map(({ path }) => readFileSync(path ?? '', 'utf8'))).toEqual(['report.txt', 'another'])
    const shown = await home.show(card.id)
    expect(shown.events.map(({ kind }) => kind)).toEqual(['created', 'attached', 'attached', 'completed'])
    expect(shown.events.at(-1)?.data).toMatchObject({ artifacts: names })
    expect(shown.runs).toMatchObject([{ kind: 'manual', outcome: 'completed' }])
    expect(readdirSync(join(folder, '.staged'))).toEqual([])
  })

  test('the artifacts of a live run are attached when the run ends', async () => {
    const home = makeCommandHome(engine)
    const body = 'touch begun; while :; do sleep 0.2; done'
    const card = await home.create('Runs', '--assignee', 'shell', '--body', body)
    await home.dispatch()
    await home.liveRun(card.id)
    const path = fileAt(home, 'report.txt')
    const { code, stdout } = await home.muster('complete', card.id, '--artifact', path, '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([0, [{ ok: true, task: { status: 'done' } }]])
    expect(await attachments(home, card.id)).toMatchObject([{ filename: 'report.txt', uploadedBy: 'tester' }])
  })

  test('a worker attaches files to its own card through its supervisor', async () => {
    const home = makeCommandHome(engine)
    const m = `"${process.execPath}" "${BIN}"`
    const body = [
      'echo found >report.txt; echo more >more.txt',
      `${m} attach "$MUSTER_TASK" report.txt >said`,
      `${m} attach "$MUSTER_TASK" missing.txt 2>refused`,
      `${m} complete "$MUSTER_TASK" --summary found --artifact more.txt`,
    ].join('\n')
    const card = await home.create('Looks around', '--assignee', 'shell', '--body', body)
    await home.dispatch('--wait')
    expect(await home.show(card.id)).toMatchObject({ status: 'done', result: 'found' })
    expect(readFileSync(home.workspace(card.id, 'said'), 'utf8')).toBe(`Attached report.txt (6 B) to ${card.id}\n`)
    expect(readFileSync(home.workspace(card.id, 'refused'), 'utf8')).toContain('it does not exist')
    expect(await attachments(home, card.id)).toMatchObject([
      { filename: 'report.txt', uploadedBy: 'agent:shell', size: 6 },
      { filename: 'more.txt', uploadedBy: 'agent:shell' },
    ])
  })
})
