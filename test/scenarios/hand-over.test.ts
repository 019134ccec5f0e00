import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isTaskId } from '../../src/core/ids.ts'
import { openHome, shellCard, startUp, untilStatus } from './stage.ts'

/** Reads what the first of its parents left, through the variable that every worker gets. */
const READS_PARENT = `node -e '
  const [parent] = JSON.parse(process.env.MUSTER_PARENTS)
  process.stdout.write(require("fs").readFileSync(parent.workspace + "/word", "utf8"))
' > word && echo "and on" >> word`

test('a chain hands its files on, is swept behind the last card, and every word can be had back', async () => {
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
})
