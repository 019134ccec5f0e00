/** Finds agent files in repositories, whether they are approved or not. */
import { basename } from 'node:path'
import { agentsOfRepository } from './approved-agents.ts'
import { agentFiles } from './roster.ts'
import { foldersUpToTop } from './skills/skill-folders.ts'

/** The nearest folder with agent files, from this folder up to the top of the repository. */
export const folderWithAgents = (folder: string): Promise<string | null> => nearestFolder(folder, () => true)

/** The nearest folder with a file for this agent, up to the top of the repository. */
export const folderWithAgent = (name: string, folder: string): Promise<string | null> =>
  nearestFolder(folder, (file) => basename(file, '.md') === name)

async function nearestFolder(start: string, isWanted: (file: string) => boolean): Promise<string | null> {
  for (const folder of await foldersUpToTop(start))
    if ((await agentFiles(agentsOfRepository(folder))).files.some(isWanted)) return folder
  return null
}
