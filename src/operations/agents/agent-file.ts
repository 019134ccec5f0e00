/** Writes agent files atomically. An existing file is replaced only on request. */
import { randomBytes } from 'node:crypto'
import { link, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFile } from '../../util/guarded-files.ts'
import { inHome, makePrivateFolder } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import { writeFault } from '../../util/write-fault.ts'

export interface WrittenAgent {
  readonly name: string
  readonly file: string
  /** False: an agent of this name exists and was not changed. */
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
  // A file that begins with a dot is not read as an agent.
  const part = join(inHome.agents(home), `.${name}.${randomBytes(4).toString('hex')}.tmp`)
  try {
    await writeFile(part, text, { flag: 'wx', mode: 0o600 })
    await (replaces ? rename(part, file) : link(part, file))
    return { name, file, written: true }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') return { name, file, written: false }
    throw writeFault(cause, file)
  } finally {
    await rm(part, { force: true })
  }
}

export const agentExists = ({ name, file }: WrittenAgent, remedy: string): BoardError =>
  new BoardError('agent_exists', `Agent ${name} has a file already: ${remedy}.`, { details: { name, file } })
