import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clearTurn } from '../../src/runs/files/exit-file.ts'
import { claimTools } from '../../src/runs/tools-owner.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import { makeFolder } from '../harnesses/job.ts'

/** A machine with these processes: when each was started, by its pid. */
const machine = (living: Readonly<Record<number, string>>) => ({
  read: (pid: number) => {
    const startTime = living[pid]
    return startTime === undefined ? null : { pid, parent: 1, group: 1, session: 1, zombie: false, startTime }
  },
})

test('the first that starts the tools of a run has them, as often as it likes', () => {
  const folder = makeFolder()
  const file = join(folder, 'tools')
  expect(claimTools(file, 10, machine({ 10: 'a' }))).toBe(true)
  expect(claimTools(file, 10, machine({ 10: 'a' }))).toBe(true)
  expect(readdirSync(folder)).toEqual(['tools'])
})

test('what an agent starts in turn has none as long as the agent lives', () => {
  const file = join(makeFolder(), 'tools')
  const both = machine({ 10: 'a', 11: 'b' })
  expect(claimTools(file, 10, both)).toBe(true)
  expect(claimTools(file, 11, both)).toBe(false)
  expect(claimTools(file, 10, both)).toBe(true)
})

test('the next turn has them when the agent of the turn before is gone, even with its pid', () => {
  const file = join(makeFolder(), 'tools')
  claimTools(file, 10, machine({ 10: 'a' }))
  expect(claimTools(file, 11, machine({ 11: 'b' }))).toBe(true)
  expect(claimTools(file, 11, machine({ 11: 'c' }))).toBe(true)
  expect(claimTools(file, 12, machine({ 11: 'c', 12: 'd' }))).toBe(false)
})

test('a turn that is over leaves them to the next, even where who holds them outlives every agent', async () => {
  const directory = runDirectoryAt(makeFolder())
  const { toolsOwner } = directory
  const both = machine({ 1: 'boot', 11: 'b' })
  // Its agent ended while they were being started: they have become somebody else's children.
  expect(claimTools(toolsOwner, 1, both)).toBe(true)
  expect(claimTools(toolsOwner, 11, both)).toBe(false)
  await clearTurn(directory)
  expect(claimTools(toolsOwner, 11, both)).toBe(true)
})

test('a real process is told from others', () => {
  const file = join(makeFolder(), 'tools')
  expect(claimTools(file, process.pid)).toBe(true)
  expect(claimTools(file, process.ppid)).toBe(false)
})
