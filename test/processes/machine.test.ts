import { expect, test } from 'vitest'
import { describeMachine, parsePlatformId } from '../../src/processes/machine.ts'
import type { MachineSource } from '../../src/processes/machine.ts'

const source = (patch: Partial<Record<keyof MachineSource, string | null>> = {}): MachineSource => ({
  systemId: () => (patch.systemId === undefined ? '3d1219c7' : patch.systemId),
  hostname: () => patch.hostname ?? 'laptop',
  bootId: () => patch.bootId ?? 'boot-1',
  pidNamespace: () => (patch.pidNamespace === undefined ? '4026531836' : patch.pidNamespace),
})

test('a reboot does not change the machine id', () => {
  expect(describeMachine(source({ bootId: 'boot-2' })).id).toBe(describeMachine(source()).id)
})

test('another pid namespace changes the machine id, but an unknown namespace does not', () => {
  const plain = describeMachine(source()).id
  expect(describeMachine(source({ pidNamespace: null })).id).toBe(plain)
  expect(describeMachine(source({ pidNamespace: '4026532999' })).id).not.toBe(plain)
})

test('the machine id does not reveal the system id', () => {
  expect(describeMachine(source()).id).toMatch(/^m_[0-9a-f]{16}$/)
  expect(describeMachine(source()).id).not.toContain('3d1219c7')
})

test('the system id of a Mac is read from the output of ioreg', () => {
  const output = `  {\n    "IOPlatformSerialNumber" = "X"\n    "IOPlatformUUID" = "564D2B9E-1111-2222-3333-444455556666"\n  }`
  expect(parsePlatformId(output)).toBe('564D2B9E-1111-2222-3333-444455556666')
  expect(parsePlatformId('')).toBeNull()
})
