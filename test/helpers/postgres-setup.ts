import { DatabaseSync } from '@photostructure/sqlite'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    postgresVersion: string
  }
}

/** Starts one server for all test files of a project. Each test makes its own schema on this server. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  project.provide('postgresVersion', server.version)
  console.log(`engines: SQLite ${sqliteVersion()}, PostgreSQL ${server.version} (${server.origin})`)
  return () => server.stop()
}

function sqliteVersion(): string {
  const database = new DatabaseSync(':memory:')
  const row = database.prepare('select sqlite_version() as version').get()
  database.close()
  return String(row?.['version'])
}
