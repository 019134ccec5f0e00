import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from '../../src/util/shell-word.ts'

test('a text without special characters is not quoted', () => {
  for (const text of ['t_4k2', '/srv/app', 'dir:/srv', 'fix/login-2', 'a@b.c']) expect(shellWord(text)).toBe(text)
})

test('a shell reads every quoted text back as one word', () => {
  const texts = ['plan (1).md', "it's", '$HOME', 'a;b', '`id`', '', '~/x', '{a,b}', '!x', '"', 'ü ', '*']
  const line = `printf '%s\\0' ${texts.map(shellWord).join(' ')}`
  expect(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(texts)
})
