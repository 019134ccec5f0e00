/** The file with the session of a run's agent. A later run on this machine may resume the session. */
import type { RunDirectory } from '../../runs/files/run-directory.ts'
import { writeWhole } from '../../runs/files/run-directory.ts'
import { readIfExists } from '../../util/replace-file.ts'
import type { Usage } from '../../harnesses/stream/entry.ts'
import { asObject, asText } from '../../util/json-fields.ts'

export interface KeptSession {
  readonly harness: string
  /** The id of the session in the CLI. */
  readonly id: string
  /** The folder in which the session ran. CLIs find their sessions by this folder. */
  readonly workspace: string
  /** The usage of the session so far. Null means that the CLI does not report totals per session. */
  readonly total: Usage | null
}

/** Writes the session file. If the write fails, the run continues, but its session cannot be resumed later. */
export const keepSession = ({ session }: Pick<RunDirectory, 'session'>, kept: KeptSession): Promise<void> =>
  writeWhole(session, `${JSON.stringify(kept)}\n`).catch(() => {})

/** Reads the session file. Returns null if the run stored no session, or if the files of the run are gone. */
export async function readSession({ session }: Pick<RunDirectory, 'session'>): Promise<KeptSession | null> {
  const { harness, id, workspace, total } = fieldsIn(await readIfExists(session)) ?? {}
  const [named, found, place] = [asText(harness), asText(id), asText(workspace)]
  if (named === null || found === null || place === null) return null
  return { harness: named, id: found, workspace: place, total: usageIn(total) }
}

function fieldsIn(text: string | null): ReturnType<typeof asObject> {
  try {
    return text === null ? null : asObject(JSON.parse(text))
  } catch {
    return null
  }
}

function usageIn(value: unknown): Usage | null {
  const fields = asObject(value)
  if (fields === null) return null
  const amount = (name: string): number | null => (typeof fields[name] === 'number' ? fields[name] : null)
  return { inputTokens: amount('inputTokens'), outputTokens: amount('outputTokens'), costUsd: amount('costUsd') }
}
