/** Finds agent files in repositories, with or without an approval. */
import { basename } from 'node:path'
import { agentsOfRepository } from './approved-agents.ts'
import { agentFiles } from './roster.ts'
import { foldersUpToTop } from './skills/skill-folders.ts'

/** Returns the nearest folder that contains agent files, from `folder` up to the root of the repository. */
export const folderWithAgents = (folder: string): Promise<string | null> => nearestFolder(folder, () => true)

/** Returns the nearest folder that contains a file for this agent, from `folder` up to the root of the repository. */
export const folderWithAgent = (name: string, folder: string): Promise<string | null> =>
  nearestFolder(folder, (file) => basename(file, '.md') === name)

async function nearestFolder(start: string, isWanted: (file: string) => boolean): Promise<string | null> {
  for (const folder of await foldersUpToTop(start))
    if ((await agentFiles(agentsOfRepository(folder))).files.some(isWanted)) return folder
  return null
}
