import * as z from 'zod'

/** Parses a value with the output schema of an operation. A key that the schema does not name is an error. */
export async function strictOutput<T>(operation: {
  schemas(): Promise<{ readonly output: z.ZodType<T> }>
}): Promise<z.ZodType<T>> {
  const { output } = await operation.schemas()
  if (!(output instanceof z.ZodObject)) throw new Error('its output is not an object')
  return output.strict() as unknown as z.ZodType<T>
}
