import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clearTurn } from '../../src/runs/files/exit-file.ts'
import { claimTools } from '../../src/runs/tools-owner.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import { makeFolder } from '../harnesses/job.ts'

/** Makes a machine with these processes, given as start times by pid. */
const machine = (living: Readonly<Record<number, string>>) => ({
  read: (pid: number) => {
    const startTime = living[pid]
    return startTime === undefined ? null : { pid, parent: 1, group: 1, session: 1, zombie: false, startTime }
  },
})

test('the process that first claimed the tools of a turn can claim them again', () => {
  const folder = makeFolder()
  const file = join(folder, 'tools')
  expect(claimTools(file, 10, machine({ 10: 'a' }))).toBe(true)
  expect(claimTools(file, 10, machine({ 10: 'a' }))).toBe(true)
  expect(readdirSync(folder)).toEqual(['tools'])
})

test('a program started by the agent may not use the tools while the agent lives', () => {
  const file = join(makeFolder(), 'tools')
  const both = machine({ 10: 'a', 11: 'b' })
  expect(claimTools(file, 10, both)).toBe(true)
  expect(claimTools(file, 11, both)).toBe(false)
  expect(claimTools(file, 10, both)).toBe(true)
})

test('the agent of the next turn may use the tools, even if it has the same pid', () => {
  const file = join(makeFolder(), 'tools')
  claimTools(file, 10, machine({ 10: 'a' }))
  expect(claimTools(file, 11, machine({ 11: 'b' }))).toBe(true)
  expect(claimTools(file, 11, machine({ 11: 'c' }))).toBe(true)
  expect(claimTools(file, 12, machine({ 11: 'c', 12: 'd' }))).toBe(false)
})

test('the next turn can claim the tools even if their last owner was process 1', async () => {
  const directory = runDirectoryAt(makeFolder())
  const { toolsOwner } = directory
  const both = machine({ 1: 'boot', 11: 'b' })
  // The agent ended while the tools started, so their parent is process 1.
  expect(claimTools(toolsOwner, 1, both)).toBe(true)
  expect(claimTools(toolsOwner, 11, both)).toBe(false)
  await clearTurn(directory)
  expect(claimTools(toolsOwner, 11, both)).toBe(true)
})

test('a real process cannot claim the tools of another live process', () => {
  const file = join(makeFolder(), 'tools')
  expect(claimTools(file, process.pid)).toBe(true)
  expect(claimTools(file, process.ppid)).toBe(false)
})
