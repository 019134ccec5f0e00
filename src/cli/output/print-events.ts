/** Prints events when they arrive: one line each for people, or NDJSON for programs. */
import type { BoardEvent } from '../../core/event.ts'
import type { Followed } from '../../operations/boards/follow.ts'
import { CardTitles } from '../card-titles.ts'
import type { Invocation } from '../invocation.ts'
import { eventLine } from '../render/event-line.ts'
import { cutTo } from '../render/width.ts'

/** Whether the output is for people. A pipe gets JSON, because usually a program reads it. */
export const isForPeople = (cli: Invocation): boolean => !cli.json && cli.world.terminal !== null

export async function printEvents(
  cli: Invocation,
  events: AsyncIterable<Followed>,
  { card, lines = false }: { readonly card: boolean; readonly lines?: boolean },
): Promise<void> {
  const { stdout, terminal } = cli.world
  // A person who asks for lines gets lines in a pipe too, for example to search them.
  const people = isForPeople(cli) || (lines && !cli.json)
  const titles = people && card ? await CardTitles.of(cli) : null
  for await (const event of events) {
    if (event.kind === 'resync') cli.notice('Older events are no longer available. Following from now on.')
    if (!people) stdout.write(cli.jsonLine(event))
    else if (event.kind !== 'resync')
      stdout.write(`${cutTo(await lineOf(event, titles), terminal?.columns ?? Infinity)}\n`)
  }
}

const lineOf = async (event: BoardEvent, titles: CardTitles | null): Promise<string> =>
  titles === null ? eventLine(event) : eventLine(event, { title: await titles.titleFor(event) })
