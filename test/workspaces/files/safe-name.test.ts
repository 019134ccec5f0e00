import { describe, expect, test } from 'vitest'
import { numbered, safeName } from '../../../src/workspaces/files/safe-name.ts'

describe('the name of a file', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['/etc/passwd', 'passwd'],
    ['../../secrets.txt', 'secrets.txt'],
    ['C:\\Users\\ada\\plan.docx', 'plan.docx'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['.bashrc', 'bashrc'],
    ['...hidden', 'hidden'],
    [' . .x', 'x'],
    ['a\x1b[31mb\r\n.txt', 'a[31mb.txt'],
    ['in\u202evoice.exe', 'invoice.exe'],
    ['a\0b', 'ab'],
    ['Über Größe 你好.md', 'Über Größe 你好.md'],
    ['no-extension', 'no-extension'],
  ])('the file name %j becomes %j', (given, name) => {
    expect(safeName(given)).toBe(name)
  })

  test.each(['', ' ', '.', '..', '../', 'folder/', '\\', '...', '\u200b', '/'])(
    'the file name %j is refused',
    (given) => {
      expect(() => safeName(given)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
    },
  )

  test('a long file name is cut to 200 characters and keeps its extension', () => {
    const cut = safeName(`${'x'.repeat(300)}.tar.gz`)
    expect(cut).toBe(`${'x'.repeat(193)}.tar.gz`)
    expect(safeName('y'.repeat(300))).toHaveLength(200)
    expect(safeName(`x.${'e'.repeat(300)}`)).toHaveLength(200)
  })

  test('a file name is cut to 240 bytes between two characters', () => {
    const cut = safeName(`${'👩'.repeat(150)}.png`)
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(240)
    expect(cut).toMatch(/^(👩)+\.png$/u)
  })

  test('a number is inserted before the extension', () => {
    expect(numbered('report.pdf', 0)).toBe('report.pdf')
    expect(numbered('report.pdf', 1)).toBe('report (1).pdf')
    expect(numbered('backup.tar.gz', 12)).toBe('backup (12).tar.gz')
    expect(numbered('v1.2 notes', 2)).toBe('v1.2 notes (2)')
    const long = safeName(`${'x'.repeat(300)}.txt`)
    expect(numbered(long, 7)).toHaveLength(200)
    expect(numbered(long, 7)).toMatch(/x \(7\)\.txt$/)
  })
})
