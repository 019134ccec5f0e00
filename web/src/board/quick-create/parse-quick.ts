/**
 * Parses a title that a person types in a column. The name of an agent may follow after `@`: `Fix the login @claude`.
 */
export interface QuickCard {
  readonly title: string
  readonly assignee: string | null
  /** A name after `@` that belongs to no agent. It stays part of the title. */
  readonly unknown: string | null
}

const MENTION = /(?:^|\s)@([\p{L}\p{N}._-]+)(?=\s|$)/gu

export function parseQuick(text: string, agents: readonly string[]): QuickCard {
  const mentions = [...text.matchAll(MENTION)]
  const found = mentions.findLast(([, name = '']) => agents.includes(name.toLowerCase()))
  const unknown = mentions.map(([, name = '']) => name).find((name) => !agents.includes(name.toLowerCase())) ?? null
  if (found === undefined) return { title: tidy(text), assignee: null, unknown }
  const [whole, name = ''] = found
  return {
    title: tidy(`${text.slice(0, found.index)} ${text.slice(found.index + whole.length)}`),
    assignee: name.toLowerCase(),
    unknown,
  }
}

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim()

const UNFINISHED = /(?:^|\s)@([\p{L}\p{N}._-]*)$/u

/** Returns the agents whose names begin with the name at the end of the text. */
export function completions(text: string, agents: readonly string[]): readonly string[] {
  const [, begun] = UNFINISHED.exec(text) ?? []
  if (begun === undefined) return []
  return agents.filter((name) => name.startsWith(begun.toLowerCase()) && name !== begun).slice(0, 5)
}

export const complete = (text: string, agent: string): string =>
  text.replace(UNFINISHED, (match) => `${match.startsWith('@') ? '' : ' '}@${agent} `)
