/** Uploads and downloads of attachments, and the bytes of logs. Only the file helper reads the files. */
import { Hono } from 'hono'
import type { Context } from 'hono'
import { BoardError } from '../../core/errors.ts'
import type { Attachment } from '../../core/attachment.ts'
import { attachFile } from '../../operations/attachments/attach-file.ts'
import { checkInput } from '../../operations/shared/check-input.ts'
import type { OperationInput } from '../../operations/shared/operation.ts'
import { resolveTask } from '../../operations/shared/resolve-task.ts'
import type { Store } from '../../storage/store.ts'
import { boardContext } from '../context.ts'
import type { HttpEnv, HttpParts } from '../parts.ts'
import { jsonResponse } from '../routes/respond.ts'
import { requireScope } from '../sign-in/identify.ts'
import { download } from './download.ts'
import { logBytes, wantsBytes } from './log-bytes.ts'
import { requireSignature, sign } from './signed-url.ts'
import { withUpload } from './upload.ts'

type Ctx = Context<HttpEnv>

/** The routes for callers with a token or a session. */
export function fileRoutes(parts: HttpParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.post('/tasks/:task/attachments', (c) => upload(c, parts))
  app.get('/tasks/:task/attachments/:file', async (c) => {
    requireScope(c.get('caller'), 'read')
    return download(c, parts, await findFile(parts.target.store, c.req.param()))
  })
  app.get('/tasks/:task/log', async (c, next) => {
    if (!wantsBytes(c)) return next()
    requireScope(c.get('caller'), 'read')
    return logBytes(c, parts)
  })
  app.post('/tasks/:task/attachments/:file/link', async (c) => {
    requireScope(c.get('caller'), 'read')
    const file = await findFile(parts.target.store, c.req.param())
    return jsonResponse(c, sign(parts.key, file, await parts.target.store.now()))
  })
  return app
}

/** The route for downloads with a signed URL, which a browser can open without headers. */
export function signedFileRoutes(parts: HttpParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.get('/files/:task/:file', async (c) => {
    const { store } = parts.target
    const { task, file } = c.req.param()
    const { until = '', signature = '' } = c.req.query()
    requireSignature(parts.key, { task, file, until, signature }, await store.now())
    return download(c, parts, await findFile(store, { task, file }))
  })
  return app
}

async function upload(c: Ctx, parts: HttpParts): Promise<Response> {
  const caller = c.get('caller')
  requireScope(caller, 'operate')
  const contentType = c.req.header('content-type') ?? null
  const given = { task: c.req.param('task'), name: c.req.query('name'), contentType }
  const input = (await checkInput(attachFile, given)) as OperationInput<typeof attachFile>
  const view = await withUpload(c, parts.target.options.home, (path) =>
    attachFile.run(boardContext(parts, { caller, board: null }), input, path),
  )
  return jsonResponse(c, view, { status: 201 })
}

async function findFile(
  store: Store,
  { task, file }: { readonly task: string; readonly file: string },
): Promise<Attachment> {
  const { board, id } = await resolveTask(store, task)
  const found = (await store.attachments(board, id)).find((row) => row.id === file || row.filename === file)
  if (found !== undefined) return found
  throw new BoardError('attachment_not_found', `Card ${id} has no attachment ${file}.`, { details: { id, file } })
}
