import { createInterface } from 'node:readline/promises'

/** Asks a question at the terminal. The end of the input means no. Returns null without a terminal. */
export async function confirm(question: string): Promise<boolean | null> {
  const { stdin: input, stdout: output } = process
  if (!input.isTTY || !output.isTTY) return null
  const line = createInterface({ input, output })
  try {
    const closed = new Promise<null>((resolve) => line.once('close', () => resolve(null)))
    const reply = await Promise.race([line.question(question), closed])
    if (reply === null) output.write('\n')
    return reply !== null && /^\s*y(es)?\s*$/i.test(reply)
  } finally {
    line.close()
  }
}
