/** The client of a run's supervisor. Inside a run, a command uses the board only through the supervisor's socket. */
import type { InsideRun, Options } from '../config/load.ts'
import { BoardError } from '../core/errors.ts'
import type { Operation } from '../operations/shared/operation.ts'
import type { RunConnection } from '../runs/socket/client.ts'

type RequestedOperation = Pick<Operation<'query' | 'command' | 'transfer', never, unknown>, 'name' | 'kind'>

export class SupervisorClient {
  readonly #run: InsideRun
  #connection: Promise<RunConnection> | null = null

  constructor(run: InsideRun) {
    this.#run = run
  }

  async ask<Output>({ name, kind }: RequestedOperation, input: unknown): Promise<Output> {
    this.#connection ??= import('../runs/socket/client.ts').then(({ connectToRun }) => connectToRun(this.#run))
    try {
      // The supervisor ran this operation, so its output is not validated again. Validation would load the schema
      // library.
      return (await (await this.#connection).ask(name, input)) as Output
    } catch (error) {
      if (kind === 'query' || !isRunOver(error)) throw error
      const { saveIfRunEnded } = await import('../runs/socket/save-if-run-ended.ts')
      throw await saveIfRunEnded(error, this.#run, { verb: name, content: input })
    }
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => null)
    connection?.close()
  }
}

const isRunOver = (error: unknown): error is BoardError => error instanceof BoardError && error.code === 'run_over'

export function refuseInsideRun({ insideRun }: Pick<Options, 'insideRun'>): void {
  if (insideRun === null) return
  const { run } = insideRun
  throw new BoardError('not_allowed', `Not available inside run ${run}: run this command in your own terminal.`, {
    details: { runId: run },
  })
}
