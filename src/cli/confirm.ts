import { createInterface } from 'node:readline/promises'

/** Nobody is asked who would not see the question, or could not answer it; the end of the input is a no. */
export async function confirm(question: string): Promise<boolean | null> {
  const { stdin: input, stdout: output } = process
  if (!input.isTTY || !output.isTTY) return null
  const line = createInterface({ input, output })
  try {
    const closed = new Promise<null>((resolve) => line.once('close', () => resolve(null)))
    const said = await Promise.race([line.question(question), closed])
    if (said === null) output.write('\n')
    return said !== null && /^\s*y(es)?\s*$/i.test(said)
  } finally {
    line.close()
  }
}
