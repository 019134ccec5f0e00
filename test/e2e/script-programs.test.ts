// Tests the programs and files that the script of a card can use without setup: `muster`, and the files of its parents.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTestHome } from '../helpers/cli.ts'

test('the command `muster` in a script is the program that started the script', async () => {
  const home = makeTestHome('sqlite')
  const { id } = await home.create(
    'Report',
    '--assignee',
    'shell',
    '--body',
    'command -v muster; muster comment "$MUSTER_TASK" "from the script"',
  )
  await home.dispatch('--wait')
  const shown = await home.show(id)
  expect(shown).toMatchObject({ status: 'done', comments: [{ body: 'from the script' }] })
  expect(shown.result).toContain(join(home.home, 'lib'))
})

test('a script finds the folders of its parents in two variables', async () => {
  const home = makeTestHome('sqlite')
  const parents = [
    await home.create('One', '--assignee', 'shell', '--body', 'echo one > word'),
    await home.create('Two', '--assignee', 'shell', '--body', 'echo two > word'),
  ]
  const { id } = await home.create(
    'Both',
    '--assignee',
    'shell',
    ...parents.flatMap((parent) => ['--parent', parent.id]),
    '--body',
    'cat "$MUSTER_PARENT_WORKSPACE/word"; IFS=:; for folder in $MUSTER_PARENT_DIRS; do cat "$folder/word"; done',
  )
  await home.dispatch('--wait')
  await home.dispatch('--wait')
  const [first = '', ...both] = ((await home.show(id)).result ?? '').split('\n')
  expect(both.toSorted()).toEqual(['one', 'two'])
  expect(both[0]).toBe(first)
})

test('a script of a card without parents has no variables for parents', async () => {
  const home = makeTestHome('sqlite')
  const body = 'echo "${MUSTER_PARENT_WORKSPACE-none} ${MUSTER_PARENT_DIRS-none}"'
  const { id } = await home.create('Alone', '--assignee', 'shell', '--body', body)
  await home.dispatch('--wait')
  expect((await home.show(id)).result).toBe('none none')
})
