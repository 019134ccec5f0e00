/** Writes agent files atomically. An existing file is replaced only on request. */
import { join } from 'node:path'
import { createFile, replaceFile } from '../../util/replace-file.ts'
import { inHome, makePrivateFolder } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import { writeFault } from '../../util/system-errors.ts'

export interface WrittenAgent {
  readonly name: string
  readonly file: string
  /** Whether the file was written. An existing file with this name is not changed. */
  readonly written: boolean
}

const agentFile = (home: string, name: string): string => join(inHome.agents(home), `${name}.md`)

export async function writeAgentFile(
  home: string,
  name: string,
  text: string,
  { replaces = false } = {},
): Promise<WrittenAgent> {
  await makePrivateFolder(inHome.agents(home))
  const file = agentFile(home, name)
  try {
    if (!replaces) return { name, file, written: await createFile(file, text) }
    await replaceFile(file, text)
    return { name, file, written: true }
  } catch (cause) {
    throw writeFault(cause, file)
  }
}

export const agentExists = ({ name, file }: WrittenAgent, remedy: string): BoardError =>
  new BoardError('agent_exists', `Agent ${name} already exists: ${file}. ${remedy}`, { details: { name, file } })
