/** Races on the dependency graph. Each round uses new cards, and all processes start at once. */
import type { Command } from '../../../src/core/command.ts'
import type { TaskId } from '../../../src/core/ids.ts'
import type { StoreLocation } from '../../../src/storage/location.ts'
import type { Store } from '../../../src/storage/store.ts'
import { newRunId, newTaskId } from '../../../src/util/mint.ts'
import { BOARD } from '../places.ts'
import { withWorkers } from '../processes.ts'
import type { StoreWorker } from '../processes.ts'
import type { Answered } from '../../fixtures/store-worker-jobs.ts'
import { command, countBy, createCards, decide, examined, unless } from './proof.ts'
import type { Proof } from './proof.ts'

/**
 * Sends one command per process at once. Each process waits up to `waitMs` first, so that every round interleaves
 * differently.
 */
const sendAll = (workers: readonly StoreWorker[], commands: readonly Command[], waitMs: number): Promise<Answered[]> =>
  Promise.all(
    commands.flatMap((each, at) => {
      const worker = workers[at]
      return worker === undefined ? [] : [worker.run('decide', { command: each, waitMs })]
    }),
  )

const waitOf = (round: number): number => [0, 0.5, 2][round % 3] ?? 0

/**
 * One process completes a parent while other processes give it children. In any order, no child may be left waiting.
 */
export async function proveFamilies(
  location: StoreLocation,
  store: Store,
  { rounds }: { rounds: number },
): Promise<Proof> {
  const faults: string[] = []
  let bornReady = 0
  await withWorkers(location, 4, async (workers) => {
    for (let round = 0; round < rounds; round++) {
      const [parent, linked] = (await createCards(store, 2)) as [TaskId, TaskId]
      const born = [newTaskId(), newTaskId()]
      const answers = await sendAll(
        workers,
        [
          command('complete', { task: parent, runId: newRunId() }),
          ...born.map((id) => command('create', { cards: [{ id, title: 'Child', parents: [parent] }] })),
          command('link', { parent, child: linked }),
        ],
        waitOf(round),
      )
      faults.push(
        ...unless(
          answers.every((answer) => answer.ok),
          `round ${round}: ${JSON.stringify(answers)}`,
        ),
      )
      for (const id of [...born, linked]) {
        const child = await store.task(BOARD, id)
        const free = child?.status === 'ready' && child.openParents === 0
        faults.push(...unless(free, `round ${round}: child ${child?.status}, ${child?.openParents} open parents`))
      }
      const events = await store.taskEvents(BOARD, born[0] as TaskId)
      if (!events.some((event) => event.kind === 'promoted')) bornReady++
    }
  })
  faults.push(...(await examined(store)))
  return { figures: { rounds, children: rounds * 3, 'first child born ready': bornReady }, faults }
}

/** The links that race in one round. */
interface Ring {
  readonly name: string
  readonly cards: number
  /**
   * The links by the indexes of their cards, `[parent, child]`. The links `before` exist at the start, and the links
   * `raced` are added at once.
   */
  readonly before: readonly (readonly [number, number])[]
  readonly raced: readonly (readonly [number, number])[]
}

/** In the last two rings, the racing links share no card, so only the lock of the graph prevents a cycle. */
const RINGS: readonly Ring[] = [
  { name: 'opposite', cards: 2, before: [], raced: [[0, 1], [1, 0]] }, // prettier-ignore
  { name: 'three', cards: 3, before: [], raced: [[0, 1], [1, 2], [2, 0]] }, // prettier-ignore
  { name: 'two halves', cards: 4, before: [[0, 1], [2, 3]], raced: [[1, 2], [3, 0]] }, // prettier-ignore
  { name: 'three thirds', cards: 6, before: [[0, 1], [2, 3], [4, 5]], raced: [[1, 2], [3, 4], [5, 0]] }, // prettier-ignore
]

/**
 * Adds several links at the same time, which together would close a cycle. All links but one must be accepted, and one
 * must be refused.
 */
export async function proveLinks(
  location: StoreLocation,
  store: Store,
  { rounds }: { rounds: number },
): Promise<Proof> {
  const faults: string[] = []
  const refused: Record<string, number> = {}
  await withWorkers(location, 3, async (workers) => {
    for (let round = 0; round < rounds; round++) {
      for (const ring of RINGS) {
        const ids = await createCards(store, ring.cards)
        const linkOf = ([parent, child]: readonly [number, number]): Command<'link'> =>
          command('link', { parent: ids[parent] as TaskId, child: ids[child] as TaskId })
        for (const edge of ring.before) await decide(store, 'link', linkOf(edge).input)
        const answers = await sendAll(workers, ring.raced.map(linkOf), waitOf(round))
        const answerCounts = countBy(answers, (answer) => (answer.ok ? 'linked' : answer.code))
        const standing = answerCounts.linked ?? 0
        refused[ring.name] = (refused[ring.name] ?? 0) + (answerCounts.cycle ?? 0)
        faults.push(
          ...unless(
            standing === ring.raced.length - 1 && answerCounts.cycle === 1,
            `${ring.name}: answers ${JSON.stringify(answerCounts)}`,
          ),
        )
      }
    }
  })
  faults.push(...(await examined(store)))
  return {
    figures: { rounds, ...Object.fromEntries(Object.entries(refused).map(([k, n]) => [`refused: ${k}`, n])) },
    faults,
  }
}
