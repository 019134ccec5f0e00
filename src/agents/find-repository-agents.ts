/** Finds agent files in repositories, approved or not. */
import { basename } from 'node:path'
import { agentsOfRepository } from './approved-agents.ts'
import { agentFiles } from './roster.ts'
import { upToTop } from './skills/card-shelves.ts'

/** The nearest folder with agents, up to the top of the repository. */
export const folderWithAgents = (folder: string): Promise<string | null> => nearest(folder, () => true)

/** The nearest folder with this agent. */
export const folderWithAgent = (name: string, folder: string): Promise<string | null> =>
  nearest(folder, (file) => basename(file, '.md') === name)

async function nearest(start: string, isMeant: (file: string) => boolean): Promise<string | null> {
  for (const folder of await upToTop(start))
    if ((await agentFiles(agentsOfRepository(folder))).files.some(isMeant)) return folder
  return null
}
