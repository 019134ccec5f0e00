import { asObject, asText } from '../../util/json-fields.ts'

/** Of a call, the file that it is about to change; undefined where it changes none, or nobody could tell how it went. */
export function fileChange(
  tools: readonly string[],
  { tool, input, call }: { readonly tool: string; readonly input: unknown; readonly call: unknown },
): { readonly path: string; readonly call: string } | undefined {
  if (!tools.includes(tool) || typeof call !== 'string') return undefined
  const fields = asObject(input) ?? {}
  const path = asText(fields['file_path']) ?? asText(fields['notebook_path']) ?? asText(fields['path'])
  return path === null ? undefined : { path, call }
}
