/** The operations without a route in the table, each with the reason. */
import type { OperationName } from './table.ts'

export const UNROUTED: Readonly<Partial<Record<OperationName, string>>> = {
  'agents approve': 'A person approves agent files where they can read the folder: at the command line.',
  'agents export': 'The command writes into a folder of the machine.',
  'agents import': 'The command reads a folder of the machine.',
  'agents install': 'The command writes files of the machine, which the command line explains first.',
  attach: 'The operation takes a file, so the file has a route of its own.',
  'backup export': 'The command writes into a folder of the machine.',
  'backup restore': 'The command replaces the store that the server has open.',
  'backup verify': 'The command reads a whole backup; run it on the machine.',
  'boards switch': 'The command sets the current board of the command line. A request names its board.',
  checkout: 'The command writes into a repository of the machine.',
  gc: 'The command deletes files of the machine.',
  init: 'The server needs a data folder before it starts.',
  'mcp install': 'The command edits configuration files of other programs on the machine.',
  restore: 'The command writes into a folder of the machine.',
  'service install': 'The command changes the services of the machine.',
  'service logs': 'The log may contain output of the server itself.',
  'service uninstall': 'The command changes the services of the machine.',
  'templates approve': 'A person approves template files where they can read the folder: at the command line.',
  uninstall: 'The command removes Muster from the machine.',
  watch: 'The live feed `/api/events` has the same events.',
}
