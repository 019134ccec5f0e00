import type { RunId } from '../../core/ids.ts'
import { LogReader, tailPlace } from '../../runs/log/read-log.ts'
import type { LogTail } from '../../runs/log/read-log.ts'
import { findReader } from '../../supervisor/turns/find-reader.ts'
import type { Passage } from '../../harnesses/stream/passage.ts'
import { makeTranscript } from '../../harnesses/stream/transcript.ts'
import { awaitLog } from './await-log.ts'
import { followPieces } from './follow-pieces.ts'
import { defineOperation } from '../shared/operation.ts'

/** A passage with the id of its run. */
export type RunPassage = Passage & { readonly run: RunId }

export const readTranscript = defineOperation({
  name: 'transcript',
  kind: 'stream',
  actor: 'person',
  scope: 'card',
  summary: 'Show a transcript of a run: what the agent wrote and did.',
  schemas: ({ z, runId, followFields }) => {
    const tokens = z.int().min(0).nullable()
    const usage = z.object({ inputTokens: tokens, outputTokens: tokens, costUsd: z.number().min(0).nullable() })
    const cause = z.enum(['rate_limited', 'billing', 'auth', 'context_overflow', 'permission', 'turn_limit', 'other'])
    const run = { run: runId }
    /** The id that the CLI gave to the call of a tool. */
    const call = { call: z.string().exactOptional() }
    const exitCode = { exitCode: z.int().exactOptional() }
    const edit = z.object({ before: z.string(), after: z.string() })
    return {
      input: z.object(followFields),
      output: z.discriminatedUnion('kind', [
        z.object({ ...run, kind: z.literal('turn'), turn: z.int().min(1), session: z.string() }),
        z.object({ ...run, kind: z.literal('said'), text: z.string() }),
        z.object({ ...run, kind: z.literal('called'), tool: z.string(), input: z.unknown(), ...call }),
        z.object({ ...run, kind: z.literal('returned'), ok: z.boolean(), text: z.string(), ...call, ...exitCode }),
        z.object({ ...run, kind: z.literal('changed'), path: z.string(), edit: edit.exactOptional() }),
        z.object({ ...run, kind: z.literal('used'), usage }),
        z.object({ ...run, kind: z.literal('waits'), cause, message: z.string() }),
        z.object({ ...run, kind: z.literal('failed'), cause, message: z.string() }),
        z.object({ ...run, kind: z.literal('printed'), text: z.string(), aside: z.literal(true).exactOptional() }),
        z.object({ ...run, kind: z.literal('omitted'), bytes: z.int().min(1) }),
        z.object({ ...run, kind: z.literal('unknown'), lines: z.int().min(1) }),
      ]),
    }
  },
  run: async function* (context, { tail, follow, ...asked }): AsyncGenerator<RunPassage> {
    const found = await awaitLog(context, asked, follow)
    if (found === null) return
    const { run, path } = found
    const { source, end } = await passagesOf(path, { tail, isText: asked.supervisor === true })
    for await (const passages of followPieces(context, { run: run.id, path, source, follow }))
      for (const passage of passages) yield { run: run.id, ...passage }
    for (const passage of end()) yield { run: run.id, ...passage }
  },
})

/**
 * Returns the passages of a log. Reading starts one byte early, to find out whether a line begins at the requested
 * position.
 */
async function passagesOf(path: string, { tail, isText }: { tail: LogTail | undefined; isText: boolean }) {
  const place = tail === undefined ? 0 : await tailPlace(path, tail)
  const reader = new LogReader(path, Math.max(0, place - 1))
  const transcript = makeTranscript(isText ? null : await findReader(path), { midway: place > 0 })
  const source = {
    next: async (): Promise<readonly Passage[] | null> => {
      const piece = await reader.next()
      return piece === null ? null : transcript.take(piece)
    },
  }
  return { source, end: () => transcript.end() }
}
