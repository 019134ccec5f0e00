import { readFileSync } from 'node:fs'
import * as yaml from 'yaml'
import { describe, expect, test } from 'vitest'
import { expandTemplate } from '../../src/templates/expand-template.ts'
import type { ExpandedCard, GivenValues } from '../../src/templates/expand-template.ts'
import { parseTemplate } from '../../src/templates/parse-template.ts'
import { templateFaultText } from '../../src/templates/template.ts'
import type { Template } from '../../src/templates/template.ts'

const RELEASE = `description: Release a version
variables:
  version:
    description: the version
  packages:
    default: [core, web]
  agent: claude
cards:
  - id: test
    each: packages
    title: Test {{item}} for {{version}}
    assignee: "{{agent}}"
    checks: ["npm test -w {{item}}"]
    labels: [release, "{{version}}"]
    maxRuntime: 30m
    priority: 3
  - id: publish
    title: Publish {{ version }}
    body: |
      Keep \${{ matrix.os }} and {{.Names}} as they are.
    parents: [test]
    hold: true
  - id: notes
    title: Notes of core
    parents: [test/core]
    workspace: worktree:/srv/repo
`

const templateOf = (text: string): Template => {
  const parsed = parseTemplate(text, yaml)
  if (!('cards' in parsed)) throw new Error(parsed.map((fault) => templateFaultText('t.yaml', fault)).join('\n'))
  return parsed
}

const faultsOf = (text: string): readonly string[] => {
  const parsed = parseTemplate(text, yaml)
  return 'cards' in parsed ? [] : parsed.map((fault) => templateFaultText('t.yaml', fault))
}

function expand(text: string, given: GivenValues = {}): readonly ExpandedCard[] {
  const made = expandTemplate(templateOf(text), given, 0)
  if ('cards' in made) return made.cards
  throw new Error(
    'refused' in made ? made.refused : made.faults.map((fault) => templateFaultText('t.yaml', fault)).join('\n'),
  )
}

const card = (more: string): string => `cards:\n  - id: a\n    title: A\n${more}`

describe('a template', () => {
  test('variables, loops and parents of a template make a graph of cards', () => {
    const cards = expand(RELEASE, { version: '1.10' })
    expect(cards.map(({ name, parents }) => [name, parents])).toEqual([
      ['test/core', []],
      ['test/web', []],
      ['publish', ['test/core', 'test/web']],
      ['notes', ['test/core']],
    ])
    expect(cards[0]?.fields).toEqual({
      title: 'Test core for 1.10',
      assignee: 'claude',
      checks: ['npm test -w core'],
      labels: ['release', '1.10'],
      maxRuntimeMs: 1_800_000,
      priority: 3,
    })
    expect(cards[2]?.fields).toMatchObject({ body: 'Keep ${{ matrix.os }} and {{.Names}} as they are.\n', held: true })
    expect(cards[3]?.fields).toMatchObject({ workspace: { kind: 'worktree', repo: '/srv/repo' } })
  })

  test('a list may be written with commas, and an empty loop makes no cards', () => {
    const names = (packages: string | string[]): string[] =>
      expand(RELEASE.replace('test/core', 'test'), { version: '1', packages }).map(({ name }) => name)
    expect(names(['a', 'b'])).toEqual(['test/a', 'test/b', 'publish', 'notes'])
    expect(names('a, b,')).toEqual(['test/a', 'test/b', 'publish', 'notes'])
    expect(names([])).toEqual(['publish', 'notes'])
  })

  test('a placeholder inside a value is not filled in', () => {
    const text = `variables: { a: x, b: y }\n${card('').replace('A\n', '"{{a}}"\n')}`
    expect(expand(text, { a: '{{b}}' })[0]?.fields).toEqual({ title: '{{b}}' })
  })

  test.each([
    [{}, 'The template needs version (the version). Add: --set version=…'],
    [{ version: '' }, 'The template needs version'],
    [{ version: '1', packges: 'a' }, 'The template has no variable packges. Did you mean packages?'],
    [{ version: 'x'.repeat(100_001) }, 'is longer than 100000 characters'],
    [
      { version: '1', packages: Array.from({ length: 300 }, (_, at) => `p${at}`) },
      'makes 302 cards. The maximum is 200.',
    ],
    [{ version: '1', packages: ['web'] }, 't.yaml:23:5: there is no card test/core in this template'],
  ])('the values %j are refused with a reason', (given, message) => {
    expect(() => expand(RELEASE, given as GivenValues)).toThrow(message)
  })
})

describe('an error in a template', () => {
  test.each([
    ['', 't.yaml:1:1: write "key: value" lines here: description, variables, cards'],
    ['cards: []', 't.yaml:1:8: cards: list at least one card, each with id and title'],
    ['cards:\n  - id: a', 't.yaml:2:5: a card needs a title'],
    [card('    assigne: claude\n'), 't.yaml:4:5: unknown key assigne. Did you mean assignee?'],
    [card('    parents: [b]\n'), 't.yaml:4:15: there is no card b in this template'],
    [
      card('    body: "{{versoin}}"\n').replace('cards', 'variables: { version: 1 }\ncards'),
      't.yaml:5:11: there is no variable versoin. Did you mean version?',
    ],
    [card('    each: packages\n'), 't.yaml:4:11: each: there is no variable packages'],
    [
      card('    each: v\n').replace('cards', 'variables: { v: 1 }\ncards'),
      't.yaml:5:11: each: v is not a list. Give it a list as default, or list: true',
    ],
    [card('  - id: a\n    title: B\n'), 't.yaml:4:9: there is another card with the id a'],
    [card('    body: [1, 2]\n'), 't.yaml:4:11: body must be a text'],
    [card('    body: &x text\n    tenant: *x\n'), 't.yaml:5:13: tenant: aliases are not supported'],
    [
      'variables: { v: 1 }\ncards:\n  - id: a\n    title: {{v}}',
      't.yaml:4:12: title must be a text. Write a text with {{…}} in quotation marks',
    ],
    ['cards:\n  - id: "A b"\n    title: x', 't.yaml:2:9: A b cannot be an id'],
    ['variables:\n  Item: x\ncards: [{id: a, title: b}]', 't.yaml:2:3: Item cannot be the name of a variable'],
    ['cards:\n  - id: a\n   title: x', 't.yaml:3:1: invalid YAML'],
    [
      'variables:\n  v: { required: perhaps }\ncards: [{id: a, title: b}]',
      't.yaml:2:18: required must be true or false',
    ],
  ])('the error in %j is reported with its position', (text, fault) => {
    expect(faultsOf(text)[0]).toContain(fault)
  })

  test('all errors are reported at once, in the order of the file', () => {
    expect(faultsOf(card('    x: 1\n    y: 2\n'))).toHaveLength(2)
  })

  test('a value of the wrong kind is reported with its position', () => {
    expect(() => expand(card('    priority: high\n    hold: maybe\n'))).toThrow(
      't.yaml:4:15: priority must be a whole number\nt.yaml:5:11: hold must be true or false',
    )
  })

  test('large, deep and repeating files are refused quickly', () => {
    const began = performance.now()
    expect(faultsOf(`description: ${'x'.repeat(300_000)}`)[0]).toContain('a template has at most 256 KB')
    expect(faultsOf('['.repeat(100_000)).length).toBeGreaterThan(0)
    expect(faultsOf(`cards:\n${'  - { id: a, title: b }\n'.repeat(201)}`).join()).toContain('at most 200 cards')
    const laughs = `a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\ncards: [{ id: a, title: *c }]`
    expect(faultsOf(laughs).join()).toContain('aliases are not supported')
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})

test('the templates in the documentation are valid', () => {
  const page = readFileSync(new URL('../../docs/guides/use-templates.md', import.meta.url), 'utf8')
  const examples = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => text)
  expect(examples.length).toBe(4)
  const given = { version: '1', feature: 'search', repo: '/srv/repo', question: 'why?' }
  for (const text of examples) {
    const names = templateOf(text).variables.map(({ name }) => name)
    const values = Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))
    expect(expand(text, values).length).toBeGreaterThan(2)
  }
})
