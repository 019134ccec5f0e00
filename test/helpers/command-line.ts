/** Runs the command line inside the test process, with shortcuts to create and show cards. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { TaskDetails } from '../../src/operations/shared/views.ts'
import { openStore } from '../../src/storage/open.ts'
import type { Store, TaskView } from '../../src/storage/store.ts'
import { makeCliHome } from './in-process.ts'
import type { CliHome } from './in-process.ts'
import type { WhenOver } from './when-over.ts'

export interface CommandLine extends CliHome {
  create(title: string, ...flags: string[]): Promise<TaskView>
  show(id: string): Promise<TaskDetails>
  /** Opens the store directly, without a command. */
  store(): Promise<Store>
}

export function makeCommandLine(whenOver: WhenOver = onTestFinished): CommandLine {
  const cli = makeCliHome(whenOver)
  let opened: Promise<Store> | null = null
  const value = async <T>(...argv: string[]): Promise<T> => {
    const result = await cli.run([...argv, '--json'])
    if (result.code !== 0) throw new Error(`muster ${argv.join(' ')} exited ${result.code}: ${result.stderr}`)
    return result.json() as T
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
