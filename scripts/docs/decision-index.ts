import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A line for each decision, with the title of its page. */
export const decisions = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^\d/.test(name))
    .toSorted()
    .map((name) => {
      const [, title = name] = /^# (?:\d+\. )?(.+)$/m.exec(readFileSync(join(folder, name), 'utf8')) ?? []
      return `- [${name.slice(0, 4)}](${name}): ${title}`
    })
