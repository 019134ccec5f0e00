/** `src/planning/models/model.ts` for simulated processes: the judge of the simulation. */
import type { Model, ModelAnswer, ModelQuestion } from '../../../src/planning/models/answer.ts'
import { kernel, running, system } from '../kernel.ts'

export function openModel(): Model {
  return {
    ask: <T>({ signal, schema }: ModelQuestion<T>): Promise<ModelAnswer<T>> => {
      const supervisor = running()
      return kernel().call('ask the judge', (): ModelAnswer<T> => {
        signal.throwIfAborted()
        const answer = system().judge(supervisor)
        if (answer === 'unavailable')
          return { ok: false, kind: 'unreachable', message: 'the judge is away', usage: null }
        const missing = answer === 'continue' ? ['the rest'] : []
        const value = schema.parse({ answer, reason: 'as planned', missing })
        return { ok: true, value, usage: { model: 'simulated', inputTokens: 10, outputTokens: 2, costUsd: 0.01 } }
      })
    },
  }
}
