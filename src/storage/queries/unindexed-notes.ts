/** The rule that every comment and result is in the search index. Each engine has its own kind of index. */
import type { Dialect } from '../dialect.ts'
import { raw } from '../sql.ts'
import { all, run } from '../tx.ts'
import type { DoctorRule } from './doctor.ts'

interface NoteIndex {
  /** The SQL conditions for comments and results that are missing in the index. */
  readonly lacksComment: string
  readonly lacksResult: string
  readonly repair: readonly string[]
}

const INDEXES: Readonly<Record<Dialect['engine'], NoteIndex>> = {
  sqlite: {
    lacksComment: 'not exists (select 1 from note_text where comment_id = comment.id)',
    lacksResult: 'not exists (select 1 from note_text where task_id = task.id and comment_id is null)',
    // The repair writes the whole index again, because the texts in a full-text table cannot be read.
    repair: [
      `insert into note_search (note_search) values ('delete-all')`,
      `delete from note_text`,
      `insert into note_text (task_id, comment_id, is_long) select task_id, id, octet_length(body) > 16384 from comment`,
      `insert into note_text (task_id, comment_id, is_long)
       select id, null, octet_length(result) > 16384 from task where result is not null`,
      `insert into note_search (rowid, text)
       select note_text.key, coalesce(comment.body, task.result) from note_text
       left join comment on comment.id = note_text.comment_id left join task on task.id = note_text.task_id
       where note_text.is_long = 0 order by note_text.key`,
    ],
  },
  postgres: {
    lacksComment: 'not exists (select 1 from note_text where note_text.id = comment.id)',
    lacksResult: 'not exists (select 1 from note_text where note_text.id = task.id)',
    repair: [
      `insert into note_text (id, task_id, grams) select id, task_id, grams_of(body, null) from comment
       on conflict (id) do nothing`,
      `insert into note_text (id, task_id, grams) select id, id, grams_of(result, null) from task
       where result is not null on conflict (id) do nothing`,
    ],
  },
}

export function unindexedNotes(engine: Dialect['engine']): DoctorRule {
  const { lacksComment, lacksResult, repair } = INDEXES[engine]
  const find = raw(`
    select board, task_id as id from comment where ${lacksComment}
    union select board, id from task where result is not null and ${lacksResult} order by board, id`)
  return {
    name: 'note_index',
    message: 'has a comment or a result that is missing from the search index',
    *find() {
      return (yield* all(find)).map(({ board, id }) => ({
        board: String(board),
        id: String(id),
        was: null,
        now: null,
      }))
    },
    *repair() {
      for (const statement of repair) yield* run(raw(statement))
    },
  }
}
