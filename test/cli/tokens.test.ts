import { expect, test } from 'vitest'
import { makeCliHome } from '../helpers/in-process.ts'

test('a new token is printed once, with a note to copy it and the command that revokes it', async () => {
  const { muster } = makeCliHome()
  await muster('init')
  const { code, stdout, stderr } = await muster('tokens', 'create', 'ci', '--scope', 'operate')
  expect(code).toBe(0)
  expect(stderr).toMatch(
    /^Created token ci \(scope operate\)\. Copy it now: Muster does not show it again\. To revoke it: muster tokens revoke /m,
  )
  expect((await muster('tokens')).stdout).not.toContain(stdout.trim())
})
