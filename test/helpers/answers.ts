/** What the binary answers, read by the schemas that publish it: one JSON value, nothing on standard error. */
import { expect } from 'vitest'
import * as z from 'zod'
import { taskView } from '../../src/operations/shared/views.ts'
import type { TestHome } from './cli.ts'

const error = z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) }).strict()

/** A verb on many cards: a row for each, with whatever else the verb adds to it. */
const rows = z.array(
  z.discriminatedUnion('ok', [
    z.looseObject({ id: z.string(), ok: z.literal(true), task: taskView.strict() }),
    z.looseObject({ id: z.string(), ok: z.literal(false), error }),
  ]),
)

export async function answerOf<T>(home: TestHome, schema: z.ZodType<T>, ...argv: string[]): Promise<T> {
  const { code, stdout, stderr } = await home.muster(...argv, '--json')
  expect([argv, code, stderr]).toEqual([argv, 0, ''])
  return schema.parse(JSON.parse(stdout))
}

export const taskOf = (home: TestHome, ...argv: string[]) => answerOf(home, taskView.strict(), ...argv)

export const rowsOf = (home: TestHome, ...argv: string[]) => answerOf(home, rows, ...argv)

/** Returns the cards of a command on several cards, all of which succeeded. */
export const tasksOf = async (home: TestHome, ...argv: string[]) =>
  (await rowsOf(home, ...argv)).map((row) => (row.ok ? row.task : expect.unreachable(row.error.message)))

/** The error that every refusal is with `--json`, and the exit code with it. */
export async function refusalOf(home: TestHome, ...argv: string[]) {
  const { code, stdout, stderr } = await home.muster(...argv, '--json')
  expect([argv, stdout]).toEqual([argv, ''])
  return { exit: code, ...z.object({ error }).strict().parse(JSON.parse(stderr)).error }
}
