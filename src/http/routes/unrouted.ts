/** The operations without a route in the table, each with the reason. */
import type { OperationName } from './table.ts'

export const UNROUTED: Readonly<Partial<Record<OperationName, string>>> = {
  'agents approve': 'A person approves agent files where they can read the folder: at the command line.',
  'agents export': 'It writes into a folder of the machine.',
  'agents import': 'It reads a folder of the machine.',
  'agents install': 'It writes files of the machine that the command line explains first.',
  attach: 'It takes a file, so it has a route of its own.',
  'backup export': 'It writes into a folder of the machine.',
  'backup restore': 'It replaces the store that the server has open.',
  'backup verify': 'It reads a whole backup; run it on the machine.',
  'boards switch': 'It sets the current board of the command line. A request names its board.',
  checkout: 'It writes into a repository of the machine.',
  gc: 'It deletes files of the machine.',
  init: 'The server needs a data folder before it starts.',
  'mcp install': 'It edits configuration files of other programs on the machine.',
  restore: 'It writes into a folder of the machine.',
  'service install': 'It changes the services of the machine.',
  'service logs': 'The log may contain output of the server itself.',
  'service uninstall': 'It changes the services of the machine.',
  uninstall: 'It removes Muster from the machine.',
  watch: 'The live feed `/api/events` has the same events.',
}
