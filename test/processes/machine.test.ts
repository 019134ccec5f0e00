import { expect, test } from 'vitest'
import { describeMachine, parsePlatformId } from '../../src/processes/machine.ts'
import type { MachineSource } from '../../src/processes/machine.ts'

const source = (patch: Partial<Record<keyof MachineSource, string | null>> = {}): MachineSource => ({
  systemId: () => (patch.systemId === undefined ? '3d1219c7' : patch.systemId),
  hostname: () => patch.hostname ?? 'laptop',
  bootId: () => patch.bootId ?? 'boot-1',
  pidNamespace: () => (patch.pidNamespace === undefined ? '4026531836' : patch.pidNamespace),
})

test('the same system is the same machine, before and after a reboot', () => {
  expect(describeMachine(source({ bootId: 'boot-2' })).id).toBe(describeMachine(source()).id)
})

test('the first pid namespace, or none at all, is the machine itself; another one is another machine', () => {
  const plain = describeMachine(source()).id
  expect(describeMachine(source({ pidNamespace: null })).id).toBe(plain)
  expect(describeMachine(source({ pidNamespace: '4026532999' })).id).not.toBe(plain)
})

test('the id does not give the system id away', () => {
  expect(describeMachine(source()).id).toMatch(/^m_[0-9a-f]{16}$/)
  expect(describeMachine(source()).id).not.toContain('3d1219c7')
})

test('a Mac names itself in the output of ioreg', () => {
  const output = `  {\n    "IOPlatformSerialNumber" = "X"\n    "IOPlatformUUID" = "564D2B9E-1111-2222-3333-444455556666"\n  }`
  expect(parsePlatformId(output)).toBe('564D2B9E-1111-2222-3333-444455556666')
  expect(parsePlatformId('')).toBeNull()
})
