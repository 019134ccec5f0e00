import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { storeMachineId, withStoredId } from '../../src/processes/machine-id-file.ts'
import { describeMachine } from '../../src/processes/machine.ts'

function dataFolder(): string {
  const home = mkdtempSync(join(tmpdir(), 'muster-machine-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  return home
}

/** Makes a container, which has another pid namespace and host name at every start. */
const started = (nth: number, systemId: string | null = null) =>
  describeMachine({
    systemId: () => systemId,
    hostname: () => `container-${nth}`,
    bootId: () => 'boot-1',
    pidNamespace: () => `402653${nth}`,
  })

test.each([null, 'baked into the image'])('a restarted container keeps its machine id (system id: %s)', async (id) => {
  const home = dataFolder()
  const first = withStoredId(started(1, id), home)
  await storeMachineId(first, home)
  expect(started(2, id).id).not.toBe(first.id)
  expect(withStoredId(started(2, id), home).id).toBe(first.id)
})

test('the machine id of a data folder copied to another system is ignored', async () => {
  const home = dataFolder()
  await storeMachineId(started(1, 'a'), home)
  const other = started(1, 'b')
  expect(withStoredId(other, home).id).toBe(other.id)
  await storeMachineId(other, home)
  expect(readFileSync(join(home, 'machine-id'), 'utf8')).toContain(other.id)
})

test('a machine id that a person wrote is used and not changed', async () => {
  const home = dataFolder()
  const path = join(home, 'machine-id')
  writeFileSync(path, 'build-server-2\n')
  const machine = withStoredId(started(1, 'a'), home)
  expect(machine.id).toBe('build-server-2')
  await storeMachineId(machine, home)
  expect(readFileSync(path, 'utf8')).toBe('build-server-2\n')
})

test('an invalid machine id is replaced', async () => {
  const home = dataFolder()
  writeFileSync(join(home, 'machine-id'), 'two words of nonsense')
  const machine = withStoredId(started(1, 'a'), home)
  expect(machine.id).toBe(started(1, 'a').id)
  await storeMachineId(machine, home)
  expect(withStoredId(started(2, 'a'), home).id).toBe(machine.id)
})
