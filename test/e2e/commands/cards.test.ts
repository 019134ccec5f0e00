// Tests the commands that change the fields and links of a card, through the real binary.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { commentSchema } from '../../../src/core/comment.ts'
import type { TaskId } from '../../../src/core/ids.ts'
import { taskDetails } from '../../../src/operations/shared/views.ts'
import { answerOf, refusalOf, taskOf, tasksOf } from '../../helpers/answers.ts'
import { appeared, makeCommandHome } from '../../helpers/cli.ts'
import type { TestHome } from '../../helpers/cli.ts'
import { WAITS, isGone, numberIn } from '../../helpers/run-cards.ts'
import { SURFACE_ENGINES } from '../../helpers/stores.ts'

const SAVES_PID = `echo $$ >pid; ${WAITS}`

/** Whether the agent of a card has ended; its supervisor may still be cleaning up. */
const isAgentGone = (home: TestHome, id: TaskId): boolean => isGone(numberIn(home.workspace(id, 'pid')))

describe.each(SURFACE_ENGINES)('cards (%s)', (engine) => {
  test('a person can assign, reassign and unassign a card', async () => {
    const home = makeCommandHome(engine)
    const { id } = await home.create('A')
    expect(await taskOf(home, 'assign', id, 'Coder')).toMatchObject({ id, assignee: 'coder' })
    expect(await taskOf(home, 'reassign', id.slice(0, 9), 'tester')).toMatchObject({ assignee: 'tester' })
    expect(await taskOf(home, 'assign', id, 'none')).toMatchObject({ assignee: null })
    const { stdout } = await home.muster('assign', id, 'coder')
    expect(stdout).toBe(`Assigned ${id} to coder  (ready)\n`)
    expect(await refusalOf(home, 'assign', 't_zzzzzzzzzz', 'coder')).toMatchObject({ exit: 3, code: 'task_not_found' })
  })

  test('`reassign` refuses a running card unless --reclaim ends its run', async () => {
    const home = makeCommandHome(engine)
    const { id } = await home.create('A', '--assignee', 'shell', '--body', SAVES_PID)
    await home.dispatch()
    await home.liveRun(id)
    await home.until('the agent has begun', () => appeared(home.workspace(id, 'begun')))
    expect(await refusalOf(home, 'reassign', id, 'tester')).toMatchObject({ exit: 4, code: 'run_live' })
    const taken = await taskOf(home, 'reassign', id, 'tester', '--reclaim', '--reason', 'stuck')
    expect(taken).toMatchObject({ assignee: 'tester', status: 'ready', currentRunId: null })
    expect(isAgentGone(home, id)).toBe(true)
    expect((await home.show(id)).runs).toMatchObject([{ outcome: 'reclaimed', summary: 'stuck' }])
  })

  test('a card can be edited, and the result of a done card can be corrected', async () => {
    const home = makeCommandHome(engine)
    const { id } = await home.create('A', '--tenant', 'acme')
    const flags = ['--title', 'Größe', '--priority', '3', '--tenant', 'none', '--check', 'true']
    const edited = await taskOf(home, 'edit', id, ...flags)
    expect(edited).toMatchObject({ title: 'Größe', priority: 3, tenant: null, checks: ['true'] })
    expect(await refusalOf(home, 'edit', id)).toMatchObject({ exit: 2, code: 'invalid_input' })
    expect(await refusalOf(home, 'edit', id, '--result', 'x')).toMatchObject({ exit: 1, code: 'wrong_status' })

    await tasksOf(home, 'complete', id, '--summary', 'done', '--force', '--reason', 'no checks today')
    const amended = await taskOf(home, 'edit', id, '--result', 'better', '--metadata', '{"tests":3}')
    expect(amended).toMatchObject({ status: 'done', result: 'better', metadata: { tests: 3 } })
    expect((await home.show(id)).runs).toMatchObject([{ outcome: 'completed', summary: 'done' }])
  })

  test('a linked card depends on its parent until it is unlinked', async () => {
    const home = makeCommandHome(engine)
    const [a, b] = [await home.create('A'), await home.create('B')]
    expect(await taskOf(home, 'link', a.id, b.id)).toMatchObject({ id: b.id, status: 'todo', parents: [a.id] })
    expect(await refusalOf(home, 'link', b.id, a.id)).toMatchObject({ exit: 1, code: 'cycle' })
    expect(await refusalOf(home, 'link', a.id, a.id)).toMatchObject({ exit: 1, code: 'self_link' })
    expect(await taskOf(home, 'unlink', a.id, b.id)).toMatchObject({ id: b.id, status: 'ready', parents: [] })
    expect(await refusalOf(home, 'unlink', a.id, b.id)).toMatchObject({ exit: 3, code: 'link_not_found' })
    expect((await home.muster('link', a.id, b.id)).stdout).toBe(`${b.id} now depends on ${a.id}  (todo)\n`)
  })

  test('the author of a comment is the user of the machine', async () => {
    const home = makeCommandHome(engine)
    const { id } = await home.create('A')
    const commented = commentSchema.extend({ mentions: z.array(z.never()) }).strict()
    const said = await answerOf(home, commented, 'comment', id, 'the key', 'is in the safe')
    expect(said).toMatchObject({ taskId: id, author: 'tester', body: 'the key is in the safe' })
    const piped = home.start(['comment', id, '--body', '-'], { stdin: 'two\nlines\n' })
    expect(await piped.ended).toMatchObject({ code: 0, stderr: '' })
    expect((await home.show(id)).comments.map(({ body }) => body)).toEqual(['the key is in the safe', 'two\nlines'])
    expect(await refusalOf(home, 'comment', id, ' ')).toMatchObject({ exit: 2, code: 'invalid_input' })
    const [oldest, newest] = (await home.show(id)).comments
    const before = await answerOf(home, taskDetails, 'show', id, '--comments-before', newest?.id ?? '')
    expect(before).toMatchObject({ comments: [oldest], earlierComments: 0 })
    expect(await refusalOf(home, 'show', id, '--comments-before', 'c_none')).toMatchObject({ code: 'invalid_input' })
  })
})
