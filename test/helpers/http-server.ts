/** Starts a `muster up` that serves HTTP. */
import type { Running, TestHome } from './cli.ts'

export const LINK = /^http:\/\/(?:127\.0\.0\.1|localhost):(\d+)\/sign-in#([\w.-]+)$/m

export interface HttpServer {
  readonly up: Running
  readonly url: string
  readonly port: number
  /** The code of the link that the server printed. */
  readonly code: string
}

interface How {
  readonly flags?: readonly string[]
  /** The port of the flag `--port`. Null means that the server starts without the flag. */
  readonly port?: number | null
  readonly env?: NodeJS.ProcessEnv
}

/** Starts `muster up` and waits for its link. */
export async function startHttpServer(
  home: TestHome,
  { flags = [], port = 0, env = {} }: How = {},
): Promise<HttpServer> {
  const address = port === null ? [] : ['--port', String(port)]
  const up = home.start(['up', '--no-open', ...address, ...flags], { env })
  const [, bound = '', code = ''] = await home.until('it prints its link', () => {
    if (up.child.exitCode !== null) throw new Error(`muster up ended: ${up.output()}`)
    return LINK.exec(up.output())
  })
  return { up, url: `http://127.0.0.1:${bound}`, port: Number(bound), code }
}
