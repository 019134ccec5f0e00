import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseCheck } from '../../../src/supervisor/checks/check.ts'
import { probeFile } from '../../../src/file-helper/probes/file-probe.ts'
import { probeJson } from '../../../src/file-helper/probes/json-probe.ts'

function folder(files: Readonly<Record<string, string>> = {}): string {
  const around = mkdtempSync(join(tmpdir(), 'muster-probe-'))
  onTestFinished(() => rmSync(around, { recursive: true, force: true }))
  const root = join(around, 'workspace')
  mkdirSync(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

test('a check with a probe prefix is a probe, and any other check is a shell command', () => {
  expect(parseCheck(' npm test ')).toEqual({ kind: 'command', line: 'npm test' })
  expect(parseCheck('file: dist/*.js')).toEqual({ kind: 'file', glob: 'dist/*.js' })
  expect(parseCheck('json:a.json')).toEqual({ kind: 'json', file: 'a.json', schema: null })
  expect(parseCheck('json:a.json#s.json')).toEqual({ kind: 'json', file: 'a.json', schema: 's.json' })
  expect(parseCheck('file foo')).toEqual({ kind: 'command', line: 'file foo' })
})

describe('file:', () => {
  const files = { 'README.md': '', 'src/a.ts': '', 'src/deep/b.test.ts': '', '.hidden/c.ts': '', 'dist/app-1.js': '' }

  test.each([
    'README.md',
    '*.md',
    'src/*.ts',
    'src/**/*.test.ts',
    '**/b.test.ts',
    '**',
    './src/?.ts',
    'dist/app-[0-9].js',
    'dist/app-[!a-z].js',
    '{docs,dist}/*.{css,js}',
    '.hidden/*.ts',
  ])('the glob %s matches a file', async (glob) => {
    expect(await probeFile(folder(files), glob)).toBeNull()
  })

  test.each(['*.ts', 'src', 'src/deep', 'SRC/a.ts', '*/c.ts', '**/c.ts', 'dist/app-[a-z].js', 'a.ts', 'README.m.'])(
    'the glob %s matches no file',
    async (glob) => {
      expect(await probeFile(folder(files), glob)).toBe(`no file matches ${glob}`)
    },
  )

  test('a glob never matches a file outside the workspace', async () => {
    const root = folder()
    writeFileSync(join(root, '..', 'outside.txt'), '')
    symlinkSync('../outside.txt', join(root, 'link.txt'))
    symlinkSync('..', join(root, 'up'))
    expect(await probeFile(root, '../outside.txt')).toContain('leads out of the workspace')
    expect(await probeFile(root, '/etc/passwd')).toContain('not a path within the workspace')
    expect(await probeFile(root, '')).toBe('names no file')
    for (const glob of ['link.txt', '*.txt', 'up/outside.txt', '**/outside.txt'])
      expect(await probeFile(root, glob)).toBe(`no file matches ${glob}`)
  })
})

describe('json:', () => {
  const schema = JSON.stringify({
    type: 'object',
    required: ['name', 'tags'],
    properties: {
      name: { type: 'string', minLength: 1 },
      tags: { type: 'array', maxItems: 2, items: { enum: ['a', 'b'] } },
    },
    additionalProperties: false,
  })

  test('a JSON file that matches its schema passes', async () => {
    const root = folder({ 'out.json': '{"name": "x", "tags": ["a"]}', 'schema.json': schema })
    expect(await probeJson(root, 'out.json', null)).toBeNull()
    expect(await probeJson(root, 'out.json', 'schema.json')).toBeNull()
    expect(await probeJson(root, 'out.json', join(root, 'schema.json'))).toBeNull()
  })

  test.each([
    ['{"name": ""}', 'out.json: $ has no tags'],
    ['{"name": "", "tags": []}', 'out.json: $.name is shorter than 1'],
    ['{"name": "x", "tags": ["a", "c"]}', 'out.json: $.tags[1] is not one of ["a","b"]'],
    ['{"name": "x", "tags": [], "more": 1}', 'out.json: $ must not have more'],
    ['[]', 'out.json: $ is array, not object'],
  ])('the JSON %s does not match the schema', async (text, fault) => {
    const root = folder({ 'out.json': text, 'schema.json': schema })
    expect(await probeJson(root, 'out.json', 'schema.json')).toBe(fault)
  })

  test('the failure of a JSON probe names a file that is missing, invalid or outside the workspace', async () => {
    const root = folder({ 'bad.json': '{', 'ok.json': '1', 'odd.json': '{"if": true}' })
    expect(await probeJson(root, 'gone.json', null)).toBe('there is no file gone.json')
    execFileSync('mkfifo', [join(root, 'pipe.json')])
    expect(await probeJson(root, 'pipe.json', null)).toBe('pipe.json cannot be read: it is not a file')
    expect(await probeJson(root, 'bad.json', null)).toMatch(/^bad\.json is not JSON: /)
    expect(await probeJson(root, '../x.json', null)).toContain('leads out of the workspace')
    expect(await probeJson(root, 'ok.json', 'gone.json')).toBe('schema: there is no file gone.json')
    expect(await probeJson(root, 'ok.json', 'odd.json')).toBe(
      'odd.json: the schema uses if at $, which is not supported',
    )
  })
})
