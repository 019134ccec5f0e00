/** Runs the binary with `--json` and parses its answer with the published schemas. Standard error must be empty. */
import { expect } from 'vitest'
import * as z from 'zod'
import { taskView } from '../../src/operations/shared/views.ts'
import type { TestHome } from './cli.ts'

const error = z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) }).strict()

/** The schema of the answer of a command on several cards: one row per card, with the fields that the command adds. */
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

/** Returns the cards of a command on several cards. Fails unless the command succeeds on every card. */
export const tasksOf = async (home: TestHome, ...argv: string[]) =>
  (await rowsOf(home, ...argv)).map((row) => (row.ok ? row.task : expect.unreachable(row.error.message)))

/** Returns the JSON error and the exit code of a command that must fail. */
export async function refusalOf(home: TestHome, ...argv: string[]) {
  const { code, stdout, stderr } = await home.muster(...argv, '--json')
  expect([argv, stdout]).toEqual([argv, ''])
  return { exit: code, ...z.object({ error }).strict().parse(JSON.parse(stderr)).error }
}
