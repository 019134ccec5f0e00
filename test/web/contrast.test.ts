/** Computes the contrast of the tokens (WCAG 2.2) in both themes. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('../../web/src/styles/tokens.css', import.meta.url), 'utf8')

function tokensOf(selector: string): ReadonlyMap<string, string> {
  const at = css.indexOf(`${selector} {`)
  const block = css.slice(at, css.indexOf('\n}', at))
  return new Map([...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]))
}

const light = tokensOf(':root')
const dark = new Map([...light, ...tokensOf("[data-theme='dark']")])

/** Computes the relative luminance of an oklch colour. */
function luminance(tokens: ReadonlyMap<string, string>, name: string): number {
  const value = tokens.get(name) ?? ''
  const [, alias] = /^var\(--([\w-]+)\)$/.exec(value) ?? []
  if (alias !== undefined) return luminance(tokens, alias)
  const [, l = '', c = '', h = ''] = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/.exec(value) ?? []
  if (l === '') throw new Error(`--${name} is not an opaque oklch colour: ${value}`)
  const [lightness, a, b] = [
    Number(l) / 100,
    Number(c) * Math.cos((Number(h) * Math.PI) / 180),
    Number(c) * Math.sin((Number(h) * Math.PI) / 180),
  ]
  const [long, medium, short] = [
    (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ]
  const clamp = (channel: number): number => Math.min(1, Math.max(0, channel))
  const red = clamp(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short)
  const green = clamp(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short)
  const blue = clamp(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(tokens: ReadonlyMap<string, string>, one: string, other: string): number {
  const [a, b] = [luminance(tokens, one), luminance(tokens, other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const TEXTS = ['text', 'muted', 'faint', 'accent', 'running', 'review', 'blocked', 'failed', 'done', 'waiting']
const BACKGROUNDS = ['bg', 'surface', 'raised', 'sunken', 'hover']
const SOFT = ['accent', 'running', 'review', 'blocked', 'failed', 'done', 'waiting'].map((name) => `${name}-soft`)

describe.each([
  ['light', light],
  ['dark', dark],
])('in the %s theme', (_, tokens) => {
  test.each(TEXTS)('the colour %s has enough contrast on every background', (name) => {
    const low = [...BACKGROUNDS, ...SOFT].filter((background) => contrast(tokens, name, background) < 4.5)
    expect(low).toEqual([])
  })

  test.each(['control', 'focus'])('the colour %s can be seen on every background', (name) => {
    expect(BACKGROUNDS.filter((background) => contrast(tokens, name, background) < 3)).toEqual([])
  })

  test('the text of a primary button has enough contrast', () => {
    for (const background of ['accent', 'accent-hover'])
      expect(contrast(tokens, 'on-accent', background)).toBeGreaterThanOrEqual(4.5)
  })
})
