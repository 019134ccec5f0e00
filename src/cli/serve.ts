/** Starts the HTTP server of `muster up`, and prints the link that signs in a browser. */
import type { RunningServer } from '../operations/machine/server-port.ts'
import type { Store } from '../storage/store.ts'
import { badValue } from './flags.ts'
import type { Invocation } from './invocation.ts'
import { openInBrowser } from './open-browser.ts'

export interface ServeFlags {
  readonly port: number | undefined
  readonly host: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly insecureHttp: boolean
  readonly noOpen: boolean
  readonly noLink: boolean
}

/** Starts the server. Returns null if this program has no server. */
export async function serve(cli: Invocation, store: Store, flags: ServeFlags): Promise<RunningServer | null> {
  const { world, options } = cli
  const { env, version, dispatcher, checker, tools, commandLine } = world
  const tls = tlsOf(flags)
  const server = await (
    await world.server?.()
  )?.start(
    {
      store,
      options,
      env,
      version,
      dispatcher,
      ...(checker === undefined ? {} : { checker }),
      ...(tools === undefined ? {} : { tools }),
      ...(commandLine === undefined ? {} : { commandLine }),
    },
    { host: flags.host ?? '127.0.0.1', port: flags.port ?? null, tls, insecure: flags.insecureHttp },
  )
  if (server === undefined) return null
  if (server.notice !== null) cli.notice(server.notice)
  if (flags.noLink) {
    cli.notice(`Serving ${server.url}. To sign in, run: muster open`)
    return server
  }
  const link = server.makeLink()
  printLink(cli, link)
  if (!flags.noOpen && world.terminal !== null) await openInBrowser(link, env)
  return server
}

function tlsOf({ cert, key }: ServeFlags): { cert: string; key: string } | null {
  if (cert === undefined && key === undefined) return null
  if (cert === undefined || key === undefined) throw badValue('--cert and --key go together: give both files.')
  return { cert, key }
}

/**
 * Prints the link. With --json the link goes to standard error, because standard output has only events. Cards run even
 * if the link cannot be printed.
 */
function printLink(cli: Invocation, link: string): void {
  const { stdout, stderr } = cli.world
  try {
    ;(cli.json ? stderr : stdout).write(`${link}\n`)
  } catch {
    cli.notice(`To sign in, run: muster open`)
  }
}
