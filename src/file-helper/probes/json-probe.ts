/**
 * The check `json:<file>#<schema>`. It passes if the file is valid JSON and matches the schema. Without a schema, valid
 * JSON is enough.
 */
import { isAbsolute } from 'node:path'
import { readWhole } from '../../util/read-whole.ts'
import { systemReason } from '../../util/system-errors.ts'
import { pathFault, pathInside } from './inside.ts'
import { schemaFault, valueFault } from './json-schema.ts'

const MOST_BYTES = 16 * 1024 * 1024

type Read = { readonly value: unknown } | { readonly fault: string }

/** The first fault of the file. Null means that the file is valid. */
export async function probeJson(root: string, file: string, schemaPath: string | null): Promise<string | null> {
  const read = await readInside(root, file)
  if ('fault' in read) return read.fault
  if (schemaPath === null) return null
  // The schema may be outside the workspace, where the agent cannot change it.
  const schema = isAbsolute(schemaPath) ? await readJson(schemaPath, schemaPath) : await readInside(root, schemaPath)
  if ('fault' in schema) return `schema: ${schema.fault}`
  const unusable = schemaFault(schema.value)
  if (unusable !== null) return `${schemaPath}: ${unusable}`
  const fault = valueFault(schema.value, read.value)
  return fault === null ? null : `${file}: ${fault}`
}

async function readInside(root: string, path: string): Promise<Read> {
  const fault = pathFault(path)
  if (fault !== null) return { fault }
  const real = await pathInside(root, path)
  return real === null ? { fault: `there is no file ${path}` } : readJson(real, path)
}

async function readJson(real: string, path: string): Promise<Read> {
  const text = await readWhole(real, MOST_BYTES).catch((error: NodeJS.ErrnoException) => error)
  if (typeof text !== 'string')
    return {
      fault: text.code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read: ${systemReason(text)}`,
    }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { fault: `${path} is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
