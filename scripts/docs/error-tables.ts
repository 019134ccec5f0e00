/** Error codes and exit codes. The compiler finds a code without a description. */
import { ERROR_CODES, errorFacts } from '../../src/core/errors.ts'
import type { ErrorCode } from '../../src/core/errors.ts'
import { code, table } from './markdown.ts'

const EXIT_TEXTS: Readonly<Record<0 | (typeof ERROR_CODES)[ErrorCode]['exit'], string>> = {
  0: 'Success',
  1: 'Refused or failed. For a command on several cards: at least one failed',
  2: 'The command line is not valid, or a value is not allowed',
  3: 'The card, board, file or store does not exist',
  4: 'Conflict: another process owns the card, run or branch, or has changed it',
  75: 'Try again later',
}

const ERROR_TEXTS: Readonly<Record<ErrorCode, string>> = {
  invalid_input: 'An argument, flag or field is not valid',
  bad_text: 'A text is not valid UTF-8 or contains characters that are not allowed',
  ambiguous_id: 'Several card ids begin like this',
  task_not_found: 'The card does not exist',
  board_not_found: 'The board does not exist',
  run_not_found: 'The run does not exist',
  snapshot_not_found: 'The card has no such snapshot',
  account_not_found: 'No agent uses this account',
  agent_not_found: 'The agent does not exist',
  skill_not_found: 'The skill does not exist',
  attachment_not_found: 'The card has no such attachment',
  link_not_found: 'The two cards are not linked',
  store_missing: 'The store does not exist. Run `muster init`, or restore a backup',
  not_allowed: 'The caller may not do this. Some actions are for people only',
  wrong_status: 'The status of the card does not allow this',
  parents_open: 'A parent is unfinished',
  cycle: 'The link would make a card wait for itself through other cards',
  self_link: 'A card cannot be its own parent',
  phantom_cards: 'A completion names cards that the worker did not create',
  checks_required: 'The checks of the card have not passed yet',
  checks_failed: 'A check failed. The output is in the details',
  board_exists: 'A board has this name already',
  agent_exists: 'An agent has this name already',
  entry_not_ours: 'The configuration file has an entry `muster` that Muster did not write',
  config_unreadable: 'A configuration file of another program cannot be read. Nothing was changed',
  board_archived: 'The board is archived',
  board_in_use: 'The board has cards. Archive it first',
  id_taken: 'The id is in use',
  gate_closed: 'The card cannot start or finish now. The reason is in the details',
  not_in_review: 'The card is not in review',
  nothing_to_undo: 'The card is not in the trash',
  land_refused: '`muster land` cannot land the work. The message gives the reason',
  diff_refused: '`muster diff` cannot show the work. The message gives the reason',
  checkout_refused: '`muster checkout` cannot show the files. The message gives the reason',
  dispatcher_absent: "Muster isn't running",
  claim_lost: 'Another process claimed the card first',
  run_superseded: 'The run no longer owns its card',
  run_over: 'The run is over, or the process may not act for it',
  run_live: 'A run of the card is still alive',
  commands_changed: 'The card changed after its commands were shown',
  verdict_pending: 'The agent already reported a result',
  dispatcher_superseded: 'Another Muster process took over on this machine',
  machine_id_shared: 'Another machine uses the same machine id',
  base_moved: 'The target branch changed during the landing. Run `muster land` again',
  capped: 'The limit on simultaneous runs is reached',
  workspace_sweeping: 'The workspace is being removed. Try again in a moment',
  directory_busy: 'Another card works in the same directory',
  store_busy: 'Another process is writing to the store',
  store_unreachable: 'The PostgreSQL server does not answer',
  pending: 'The command was accepted and takes effect when the run ends',
  store_auth_failed: 'The PostgreSQL server refused the login',
  store_corrupt: 'The store is damaged. Restore a backup',
  store_too_new: 'A newer Muster wrote the store. Upgrade Muster',
  store_too_old: 'The store is too old for this version',
  store_not_ours: 'The file or schema does not belong to Muster',
  store_read_only: 'The store cannot be written',
  store_unreadable: 'The store cannot be read',
  store_io: 'A file could not be read or written',
  disk_full: 'The disk is full, or a disk quota is used up',
  output_failed: 'The output could not be written. The details show whether the command succeeded',
  filesystem_unsuitable: 'The store is on a network file system, which SQLite cannot lock',
  sqlite_unsuitable: 'The SQLite library has a known defect that can lose data',
  not_supported: 'This system or version does not support it',
  internal: 'A bug in Muster',
}

export const exitCodes = (): string[] =>
  table(
    ['Exit code', 'Meaning'],
    Object.entries(EXIT_TEXTS).map(([exit, meaning]) => [exit, meaning]),
  )

export const errorCodes = (): string[] =>
  table(
    ['Code', 'Exit code', 'Meaning'],
    (Object.keys(ERROR_CODES) as ErrorCode[]).map((name) => [
      code(name),
      String(errorFacts(name).exit),
      ERROR_TEXTS[name],
    ]),
  )
