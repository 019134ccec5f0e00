/**
 * Uploads a file and reports the progress. It does not use `fetch`, because `fetch` cannot report how much was sent.
 */
import { errorOfProblem, ClientError } from '../../../src/client/client-error.ts'
import type { AttachmentView } from '../../../src/client/index.ts'
import { notConnected } from './errors.ts'
import { sessionSecret } from './session.ts'

interface Upload {
  readonly task: string
  readonly file: File
  /** Called with the sent part of the file, from 0 to 1. */
  readonly onProgress: (part: number) => void
  readonly signal?: AbortSignal
}

export function uploadFile({ task, file, onProgress, signal }: Upload): Promise<AttachmentView> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const secret = sessionSecret()
    request.open('POST', `/api/tasks/${encodeURIComponent(task)}/attachments?name=${encodeURIComponent(file.name)}`)
    request.responseType = 'text'
    request.setRequestHeader('content-type', file.type === '' ? 'application/octet-stream' : file.type)
    if (secret !== null) request.setRequestHeader('x-muster-secret', secret)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.onload = () => {
      const answer = parsed(request.responseText)
      // The status 201 means that the file is attached. With any other status, the server sends a problem document.
      if (request.status === 201) resolve(answer as AttachmentView)
      else reject(errorOfProblem(answer) ?? unsuitable(request.status))
    }
    request.onerror = () => reject(notConnected())
    request.onabort = () => reject(notConnected())
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const unsuitable = (status: number): ClientError =>
  new ClientError('server_unsuitable', `The server answered with status ${status}.`, { status })
