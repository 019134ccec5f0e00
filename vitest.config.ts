import { readFileSync } from 'node:fs'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { CountReporter } from './test/helpers/count-reporter.ts'
import { LongestFirst } from './test/helpers/longest-first.ts'

/** A `.sql` file imports as its text, as in the bundle. */
const sqlAsText = {
  name: 'sql-as-text',
  load: (id: string) =>
    id.endsWith('.sql') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined,
}

const withPostgres = { globalSetup: './test/helpers/postgres-setup.ts' }

/**
 * Files of a group share the processes of its workers, and with them the modules that are loaded: that halves the time
 * of the unit tests. Nothing of ours keeps state in a module that another test could meet.
 */
const shared = { isolate: false }

function project(
  name: string,
  folders: string[],
  extra: {
    globalSetup?: string
    maxWorkers?: number
    isolate?: boolean
    exclude?: string[]
    maxConcurrency?: number
  } = {},
): TestProjectInlineConfiguration {
  const include = folders.map((folder) =>
    folder.endsWith('.test.ts') ? `test/${folder}` : `test/${folder}/**/*.test.ts`,
  )
  return { extends: true, test: { name, include, ...extra } }
}

/** Each group of `npm test` is one project. */
export default defineConfig({
  plugins: [sqlAsText],
  test: {
    pool: 'forks',
    // As many as the budget has cores; the default leaves one of the two idle.
    maxWorkers: 2,
    watch: false,
    // For what hangs: how long anything takes is no test's business, and machines are slow and busy at times.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
    expect: { poll: { timeout: 60_000, interval: 10 } },
    setupFiles: ['./test/helpers/leak-check.ts', './test/helpers/use-files-here.ts'],
    sequence: { sequencer: LongestFirst },
    // The groups use the same modules, so each group after the first reads them from the cache. The name of an entry
    // is a hash of the module and of this file, and a change of the lock file empties the cache.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    reporters: ['default', new CountReporter()],
    projects: [
      project(
        'unit',
        [
          'agents',
          'cli',
          'client',
          'config',
          'core',
          'file-helper',
          'harnesses',
          'http',
          'loader',
          'mcp',
          'mcp-install',
          'operations',
          'planning',
          'processes',
          'runs',
          'service',
          'supervisor',
          'templates',
          'util',
          'web',
          'worker-api',
        ],
        {
          ...shared,
          maxWorkers: 3,
          // These need PostgreSQL.
          exclude: ['test/http/**/*.contract.test.ts'],
        },
      ),
      // Some wait for a server that is made slow.
      project('contract', ['storage', 'http/**/*.contract.test.ts'], { ...withPostgres, ...shared, maxWorkers: 4 }),
      // These wait for other processes so often that four workers leave a third of one core idle.
      project('processes', ['e2e', 'scenarios', 'workspaces', 'dispatcher'], {
        ...withPostgres,
        ...shared,
        maxWorkers: 6,
      }),
      // Some wait for a lost connection, which leaves a core idle.
      project('browser', ['browser'], { ...shared, maxWorkers: 3 }),
      // Two pages of the documentation run at once beside the recipes.
      project('docs', ['docs'], { maxConcurrency: 2 }),
      project('simulation', ['simulation']),
      project('chaos', ['chaos'], withPostgres),
    ],
  },
})
