/** Finds missing skills and describes all of them in one sentence. */
import { join } from 'node:path'
import { inHome } from '../../config/home.ts'
import { nearestOf } from '../../util/nearest.ts'
import type { SkillFinder } from './skill-finder.ts'

export interface MissingSkills {
  readonly unknown: readonly string[]
  /** The skills that exist but cannot be used, with the reason. */
  readonly broken: readonly { readonly name: string; readonly fault: string }[]
}

/** The skills that are missing or cannot be used. Null means that all skills can be used. */
export async function missingSkills(
  finder: SkillFinder,
  names: readonly string[],
  folders: readonly (string | null)[],
): Promise<MissingSkills | null> {
  const found = await Promise.all(names.map(async (name) => ({ name, skill: await finder.find(name, folders) })))
  const unknown = found.flatMap(({ name, skill }) => (skill === null ? [name] : []))
  const broken = found.flatMap(({ name, skill }) =>
    skill === null || skill.fault === null ? [] : [{ name, fault: skill.fault }],
  )
  return unknown.length + broken.length === 0 ? null : { unknown, broken }
}

/**
 * Describes the missing skills, such as `Skills lint and types are not installed here; style cannot be used: its
 * SKILL.md is empty.`
 */
export function missingText({ unknown, broken }: MissingSkills): string {
  const are = unknown.length === 1 ? 'is' : 'are'
  const absent = unknown.length === 0 ? [] : [`${and(unknown)} ${are} not installed here`]
  const unfit = broken.map(({ name, fault }) => `${name} cannot be used: ${fault}`)
  const noun = unknown.length + broken.length === 1 ? 'Skill' : 'Skills'
  return `${noun} ${[...absent, ...unfit].join('; ')}.`
}

export const skillPlace = (home: string, name: string): string => join(inHome.skills(home), name, 'SKILL.md')

const SHOWN = 10

/** Suggests installed skills with similar names. If no name is similar, lists the installed skills. */
export function suggestNames(unknown: readonly string[], known: readonly string[]): string {
  const similar = [...new Set(unknown.flatMap((name) => nearestOf(name, known).slice(0, 3)))]
  if (similar.length > 0) return `Did you mean ${or(similar)}?`
  if (known.length === 0) return 'No skills are installed.'
  const more = known.length > SHOWN ? `, and ${known.length - SHOWN} more` : ''
  return `Installed skills: ${known.slice(0, SHOWN).join(', ')}${more}.`
}

const joined = (words: readonly string[], last: string): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`

const and = (words: readonly string[]): string => joined(words, 'and')
const or = (words: readonly string[]): string => joined(words, 'or')
