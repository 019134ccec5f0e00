/** Checks the CSS modules, because the compiler does not know their classes. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../web/src', import.meta.url))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const modules = files.filter((file) => file.endsWith('.module.css'))
const classesIn = (css: string): ReadonlySet<string> => {
  const own = css.replaceAll(/:global\([^()]*\)/g, '')
  const selectors = own.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/\{[^{}]*\}/g, '{}')
  return new Set([...selectors.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name))
}

interface Use {
  readonly file: string
  readonly module: string
  readonly names: readonly string[]
  /** Whether the component looks up a class by a computed name. */
  readonly isComputed: boolean
}

const uses: readonly Use[] = files
  .filter((file) => file.endsWith('.tsx'))
  .flatMap((file) => {
    const whole = read(file)
    const code = whole.replaceAll(/^import .*$/gm, '')
    return [...whole.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)].map(([, local = '', from = '']) => ({
      file,
      module: join(dirname(file), from),
      names: [...code.matchAll(new RegExp(String.raw`\b${local}\.(\w+)`, 'g'))].map(([, name = '']) => name),
      isComputed: code.includes(`${local}[`),
    }))
  })

test('every class that a component uses is in its CSS module', () => {
  const missing = uses.flatMap(({ file, module, names }) => {
    const known = classesIn(read(module))
    return names.filter((name) => !known.has(name)).map((name) => `${file}: ${name}`)
  })
  expect(missing).toEqual([])
})

test('every class of a CSS module is used', () => {
  const unused = modules.flatMap((module) => {
    const users = uses.filter((use) => use.module === module)
    if (users.some(({ isComputed }) => isComputed)) return []
    const used = new Set(users.flatMap(({ names }) => names))
    return [...classesIn(read(module))].filter((name) => !used.has(name)).map((name) => `${module}: ${name}`)
  })
  expect(unused).toEqual([])
})

test('CSS modules take colours from the tokens', () => {
  const own = modules.filter((module) => /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsl/i.test(read(module)))
  expect(own).toEqual([])
})

test('every token that is used is defined', () => {
  const defined = new Set(
    files
      .filter((file) => file.endsWith('.css'))
      .flatMap((file) => [...read(file).matchAll(/(--[\w-]+):/g)].map(([, name = '']) => name)),
  )
  const given = new Set(['--hue'])
  const unknown = files
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) => [...read(file).matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => `${file}: ${name}`))
    .filter((use) => {
      const [, name = ''] = use.split(': ')
      return !defined.has(name) && !given.has(name) && !name.startsWith('--radix-')
    })
  expect(unknown).toEqual([])
})
