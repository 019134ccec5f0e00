/** Agents that lie in a repository, whether somebody has approved them or not: where they would come from. */
import { basename } from 'node:path'
import { agentsOfRepository } from './approved-agents.ts'
import { agentFiles } from './roster.ts'
import { upToTop } from './skills/card-shelves.ts'

/** The nearest folder, from this one up to the top of its repository, that brings agents; null: none does. */
export const bringerAround = (folder: string): Promise<string | null> => nearest(folder, () => true)

/** The nearest that brings the one of this name. */
export const bringerOf = (name: string, folder: string): Promise<string | null> =>
  nearest(folder, (file) => basename(file, '.md') === name)

async function nearest(start: string, isMeant: (file: string) => boolean): Promise<string | null> {
  for (const folder of await upToTop(start))
    if ((await agentFiles(agentsOfRepository(folder))).files.some(isMeant)) return folder
  return null
}
