/** Checks values against the schemas of the OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { openApiDocument } from '../../src/http/openapi.ts'

export interface DocumentSchemas {
  /** Returns why a response body does not match the document. The list is empty if the body matches. */
  readonly responseFaults: (at: ResponsePlace, body: unknown) => readonly string[]
  readonly problemFaults: (body: unknown) => readonly string[]
}

interface ResponsePlace {
  readonly method: string
  /** The path, with parameters in the form `:task`. */
  readonly path: string
  readonly status: number
  readonly type?: string
}

export async function openDocumentSchemas(): Promise<DocumentSchemas> {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema(await openApiDocument('1.2.3'), 'api')
  const faults = (pointer: readonly string[], value: unknown): readonly string[] => {
    const validate = ajv.compile({ $ref: `api#/${pointer.map(escaped).join('/')}` })
    return validate(value) ? [] : (validate.errors ?? []).map((error) => JSON.stringify(error))
  }
  return {
    responseFaults: ({ method, path, status, type = 'application/json' }, body) => {
      const template = path.replaceAll(/:(\w+)/g, '{$1}')
      return faults(['paths', template, method, 'responses', String(status), 'content', type, 'schema'], body)
    },
    problemFaults: (body) => faults(['components', 'schemas', 'Problem'], body),
  }
}

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
