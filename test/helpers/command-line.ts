/** The command line without a process, with what most tests do first: put cards on the board and look at them. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { TaskDetails } from '../../src/operations/shared/views.ts'
import { openStore } from '../../src/storage/open.ts'
import type { Store, TaskView } from '../../src/storage/store.ts'
import { makeCliHome } from './in-process.ts'
import type { CliHome, WhenOver } from './in-process.ts'

export interface CommandLine extends CliHome {
  create(title: string, ...flags: string[]): Promise<TaskView>
  show(id: string): Promise<TaskDetails>
  /** The store behind its back. */
  store(): Promise<Store>
}

export function makeCommandLine(whenOver: WhenOver = onTestFinished): CommandLine {
  const cli = makeCliHome(whenOver)
  let opened: Promise<Store> | null = null
  const value = async <T>(...argv: string[]): Promise<T> => {
    const said = await cli.run([...argv, '--json'])
    if (said.code !== 0) throw new Error(`muster ${argv.join(' ')} exited ${said.code}: ${said.stderr}`)
    return said.json() as T
  }
  return {
    ...cli,
    create: (title, ...flags) => value('create', title, ...flags),
    show: (id) => value('show', id),
    store: () => (opened ??= open()),
  }

  async function open(): Promise<Store> {
    const store = await openStore({ engine: 'sqlite', path: join(cli.home, 'muster.db') }, { mode: 'write' })
    whenOver(() => store.close({ exiting: true }))
    return store
  }
}
