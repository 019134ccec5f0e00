import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { inHome } from '../../src/config/home.ts'
import { addApprovals, readApprovals, withdrawApproval } from '../../src/agents/approved-agents.ts'

const approval = (at: number) => ({ file: `/srv/repo-${at}/.muster/agents/coder.md`, sha256: 'f'.repeat(64) })

function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'muster-approvals-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  return home
}

test('approvals given at the same time are all kept', async () => {
  const home = makeHome()
  const all = Array.from({ length: 20 }, (_, at) => approval(at))
  await Promise.all(all.map((one) => addApprovals(home, [one])))
  expect((await readApprovals(home)).toSorted((a, b) => a.file.localeCompare(b.file))).toEqual(
    all.toSorted((a, b) => a.file.localeCompare(b.file)),
  )
})

test('withdrawing one approval keeps the others', async () => {
  const home = makeHome()
  await addApprovals(home, [approval(1), approval(2)])
  await withdrawApproval(home, approval(1).file)
  await withdrawApproval(home, approval(3).file)
  expect(await readApprovals(home)).toEqual([approval(2)])
})

test('an unreadable approval file approves nothing', async () => {
  const home = makeHome()
  await addApprovals(home, [approval(1)])
  writeFileSync(join(inHome.approvedAgents(home), 'broken.json'), '{')
  expect(await readApprovals(home)).toEqual([approval(1)])
})
