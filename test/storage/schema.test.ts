/** Tests that the schemas of both engines have the same tables and columns, and match the tables in the code. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  ACCOUNT,
  ATTACHMENT,
  BOARD,
  COMMENT,
  DISPATCHER,
  EVENT,
  INBOX_MARK,
  LINK,
  RUN,
  SAVED_VIEW,
  SERIES,
  SLOT,
  TASK,
  TOKEN,
} from '../../src/storage/rows.ts'
import { ENGINES, openTestStore } from '../helpers/stores.ts'
import type { TestStore } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly nullable: boolean
}

const asColumns = (rows: readonly Readonly<Record<string, unknown>>[]): Column[] =>
  rows
    .map((row) => ({
      table: String(row.tab),
      name: String(row.name),
      type: String(row.type) === 'bigint' ? 'integer' : String(row.type).toLowerCase(),
      nullable: Number(row.nullable) === 1,
    }))
    .filter(({ table }) => table !== 'feed' && !isSearchIndex(table))

/** Whether a table belongs to the search index, which differs between the engines. */
const isSearchIndex = (table: string): boolean => /^(task|note)_(text|search)/.test(table)

/**
 * Returns the columns of a SQLite store. SQLite does not list columns of a primary key as not null, although they are
 * in a strict table.
 */
const sqliteColumns = async ({ raw }: TestStore): Promise<Column[]> =>
  asColumns(
    await raw(`select t.name as tab, c.name as name, c.type as type, (c."notnull" = 0 and c.pk = 0) as nullable
      from sqlite_schema t, pragma_table_info(t.name) c
      where t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.name`),
  )

const postgresColumns = async ({ raw }: TestStore): Promise<Column[]> =>
  asColumns(
    await raw(`select table_name as tab, column_name as name, data_type as type,
        case when is_nullable = 'YES' then 1 else 0 end as nullable
      from information_schema.columns where table_schema = current_schema()
      order by table_name, column_name`),
  )

/** Returns the first migration without the parts that differ between the engines. */
const common = (engine: string): string =>
  readFileSync(new URL(`../../src/storage/${engine}/migrations/0001_init.sql`, import.meta.url), 'utf8')
    .replace(/-- The last feed id[\s\S]*?insert into feed[^;]*;\n+/, '')
    .replace(/\n-- The statistics of a large board[\s\S]*/, '')
    .replaceAll(' collate "C"', '')
    .replaceAll('bigint generated always as identity primary key', 'integer primary key autoincrement')
    .replaceAll('id bigint primary key', 'id integer primary key autoincrement')
    .replaceAll('bigint', 'integer')
    .replaceAll(/\) strict(, without rowid)?;/g, ');')

describe('the schema', () => {
  it('both engines have the same tables, columns, types and nullability', async () => {
    const sqlite = await sqliteColumns(await openTestStore('sqlite'))
    const postgres = await postgresColumns(await openTestStore('postgres'))
    expect(sqlite.length).toBeGreaterThan(100)
    expect(sqlite).toEqual(postgres)
  })

  it('both engines have the same first migration, except for parts that only one engine has', () => {
    expect(common('sqlite')).toBe(common('postgres'))
  })

  it('the code names every column of the schema', async () => {
    const columns = await sqliteColumns(await openTestStore('sqlite'))
    for (const table of [
      BOARD,
      TASK,
      LINK,
      RUN,
      COMMENT,
      ATTACHMENT,
      EVENT,
      SLOT,
      ACCOUNT,
      DISPATCHER,
      INBOX_MARK,
      TOKEN,
      SAVED_VIEW,
      SERIES,
    ]) {
      const found = columns.filter((column) => column.table === table.name).map((column) => column.name)
      // The database writes `seq`, the order of comments and attachments, and `number`, the number of a comment.
      expect([table.name, ...found.filter((name) => name !== 'seq' && name !== 'number').sort()]).toEqual([
        table.name,
        ...[...table.columnNames].sort(),
      ])
    }
  })

  it('every text column of the server sorts by code units', async () => {
    const { raw } = await openTestStore('postgres')
    const linguistic = await raw(`select table_name, column_name from information_schema.columns
      where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'`)
    expect(linguistic).toEqual([])
  })

  it('the server has few check constraints, because it parses them for each write', async () => {
    const { raw } = await openTestStore('postgres')
    const checks = await raw(`select conname from pg_constraint
      where contype = 'c' and conrelid in ('task'::regclass, 'run'::regclass) order by conname`)
    expect(checks.map(({ conname }) => conname)).toEqual(['run_check'])
  })

  it.each(ENGINES)('no card is running without a run, or has fewer than 0 open parents, on %s', async (engine) => {
    const test = await openTestStore(engine)
    await (await Desk.open(test)).card('a')
    const rejected = /CHECK constraint failed|card t_\w+ (is running with the run|has -1 open parents)/
    await expect(test.raw(`update task set status = 'running'`)).rejects.toThrow(rejected)
    await expect(test.raw(`update task set open_parents = -1`)).rejects.toThrow(rejected)
  })
})
