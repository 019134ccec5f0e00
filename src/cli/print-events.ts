/** Prints events as they arrive: a line each for people, NDJSON for programs. */
import type { Followed } from '../operations/boards/follow.ts'
import type { Invocation } from './invocation.ts'
import { eventLine } from './render/event-line.ts'
import { cutTo } from './render/width.ts'

/** A pipe gets JSON too, because a program reads it. */
export const isForPeople = (cli: Invocation): boolean => !cli.json && cli.world.terminal !== null

export async function printEvents(
  cli: Invocation,
  events: AsyncIterable<Followed>,
  { card }: { card: boolean },
): Promise<void> {
  const { stdout, terminal } = cli.world
  const people = isForPeople(cli)
  for await (const event of events) {
    if (event.kind === 'resync') cli.notice('Older events are no longer available. Following from now on.')
    if (!people) stdout.write(cli.jsonLine(event))
    else if (event.kind !== 'resync')
      stdout.write(`${cutTo(eventLine(event, { card }), terminal?.columns ?? Infinity)}\n`)
  }
}
