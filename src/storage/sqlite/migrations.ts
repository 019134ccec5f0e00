/** Creates and upgrades the schema of a store in a file. */
import { recordMigration, schemaState } from '../migrate.ts'
import type { Migration } from '../migrate.ts'
import { sql } from '../sql.ts'
import { drive } from './connection.ts'
import type { Connection } from './connection.ts'
import init from './migrations/0001_init.sql'
import bursts from './migrations/0002_bursts.sql'
import worktrees from './migrations/0003_worktrees.sql'
import reviews from './migrations/0004_reviews.sql'
import bodies from './migrations/0005_bodies.sql'
import answers from './migrations/0006_answers.sql'
import growth from './migrations/0007_growth.sql'
import landing from './migrations/0008_landing.sql'
import folders from './migrations/0009_folders.sql'
import success from './migrations/0010_success.sql'
import tally from './migrations/0011_tally.sql'
import search from './migrations/0012_search.sql'
import commentNumbers from './migrations/0013_comment_numbers.sql'
import labels from './migrations/0014_labels.sql'
import cheaperWrites from './migrations/0015_cheaper_writes.sql'
import inbox from './migrations/0016_inbox.sql'
import results from './migrations/0017_results.sql'
import tokens from './migrations/0018_tokens.sql'
import lastPass from './migrations/0019_last_pass.sql'
import columns from './migrations/0020_columns.sql'
import agents from './migrations/0021_agents.sql'
import views from './migrations/0022_views.sql'
import places from './migrations/0023_places.sql'
import cheaperTriggers from './migrations/0024_cheaper_triggers.sql'
import longTexts from './migrations/0025_long_texts.sql'
import goals from './migrations/0026_goals.sql'
import series from './migrations/0027_series.sql'
import plans from './migrations/0028_plans.sql'
import swarms from './migrations/0029_swarms.sql'
import tournaments from './migrations/0030_tournaments.sql'
import { moveLongTextsLast } from './long-texts-last.ts'
import { rollBack } from './writer.ts'

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'init', text: init, minCode: 1 },
  { version: 2, name: 'bursts', text: bursts, minCode: 1 },
  { version: 3, name: 'worktrees', text: worktrees, minCode: 1 },
  { version: 4, name: 'reviews', text: reviews, minCode: 1 },
  { version: 5, name: 'bodies', text: bodies, minCode: 1 },
  { version: 6, name: 'answers', text: answers, minCode: 1 },
  { version: 7, name: 'growth', text: growth, minCode: 1 },
  { version: 8, name: 'landing', text: landing, minCode: 1 },
  { version: 9, name: 'folders', text: folders, minCode: 1 },
  { version: 10, name: 'success', text: success, minCode: 1 },
  { version: 11, name: 'tally', text: tally, minCode: 1 },
  { version: 12, name: 'search', text: search, minCode: 1 },
  { version: 13, name: 'comment_numbers', text: commentNumbers, minCode: 1 },
  { version: 14, name: 'labels', text: labels, minCode: 1 },
  { version: 15, name: 'cheaper_writes', text: cheaperWrites, minCode: 1 },
  { version: 16, name: 'inbox', text: inbox, minCode: 1 },
  { version: 17, name: 'results', text: results, minCode: 1 },
  { version: 18, name: 'tokens', text: tokens, minCode: 1 },
  { version: 19, name: 'last_pass', text: lastPass, minCode: 1 },
  { version: 20, name: 'columns', text: columns, minCode: 1 },
  { version: 21, name: 'agents', text: agents, minCode: 1 },
  { version: 22, name: 'views', text: views, minCode: 1 },
  { version: 23, name: 'places', text: places, minCode: 1 },
  { version: 24, name: 'cheaper_triggers', text: cheaperTriggers, minCode: 1 },
  { version: 25, name: 'long_texts', text: longTexts, minCode: 1 },
  { version: 26, name: 'goals', text: goals, minCode: 1 },
  { version: 27, name: 'series', text: series, minCode: 1 },
  { version: 28, name: 'plans', text: plans, minCode: 1 },
  { version: 29, name: 'swarms', text: swarms, minCode: 1 },
  { version: 30, name: 'tournaments', text: tournaments, minCode: 1 },
]

/**
 * Runs all missing migrations in one transaction. A second process waits for this transaction, and then finds no
 * missing migration.
 */
export function migrate(connection: Connection, steps = MIGRATIONS): void {
  connection.exec('pragma busy_timeout = 30000')
  connection.exec('begin immediate')
  try {
    const from = currentVersion(connection)
    for (const step of steps.filter(({ version }) => version > from)) {
      connection.exec(step.text)
      drive(connection, recordMigration(step, Date.now()))
    }
    moveLongTextsLast(connection)
    connection.exec('commit')
  } catch (error) {
    rollBack(connection)
    throw error
  } finally {
    connection.exec('pragma busy_timeout = 0')
  }
}

function currentVersion(connection: Connection): number {
  const exists = connection.query(sql`select 1 from sqlite_schema where type = 'table' and name = 'migration'`)
  return exists.length === 0 ? 0 : drive(connection, schemaState()).version
}
