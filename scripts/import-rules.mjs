/**
 * The folders of src/, lowest first, with the folders that each may import. The lint rule `muster/folder-imports` enforces this
 * table, and docs/contributing/architecture.md describes it.
 * @type {Record<string, { is: string, may: string[] }>}
 */
export const FOLDERS = {
  core: { is: 'decisions: no clock, no randomness, no I/O', may: [] },
  util: { is: 'one small idea per file', may: ['core'] },
  client: { is: 'the client of the HTTP API, for Node and browsers', may: [] },
  loader: { is: 'fast start of the programs', may: ['util'] },
  config: { is: 'the data folder, options and the environment', may: ['core', 'util'] },
  storage: { is: 'the store: one interface, two dialects', may: ['core', 'util'] },
  processes: {
    is: 'starting, identifying and ending processes',
    may: ['core', 'util', 'config', 'storage'],
  },
  runs: {
    is: 'the files, the log and the socket of one run',
    may: ['core', 'util', 'config', 'storage', 'processes'],
  },
  harnesses: {
    is: 'one adapter per agent CLI',
    may: ['core', 'util', 'config', 'processes', 'runs'],
  },
  workspaces: {
    is: 'folders, worktrees, snapshots and attachments',
    may: ['core', 'util', 'config', 'storage', 'processes'],
  },
  'file-helper': {
    is: 'a process without a store that reads files that are not Muster’s own',
    may: ['core', 'util', 'config', 'runs', 'workspaces'],
  },
  agents: {
    is: 'agent files, the roster, permissions, approval, skills',
    may: ['core', 'util', 'config', 'storage', 'processes', 'harnesses', 'workspaces'],
  },
  planning: {
    is: 'everything that asks a model: plans, judgements and descriptions',
    may: ['core', 'util', 'config', 'storage', 'processes', 'runs', 'harnesses', 'workspaces', 'file-helper', 'agents'],
  },
  templates: {
    is: 'templates of card graphs: their files, approval, variables and loops',
    may: ['core', 'util', 'config', 'file-helper', 'agents'],
  },
  service: { is: 'running Muster as a service of the user', may: ['core', 'util', 'config', 'processes'] },
  'mcp-install': { is: 'editing the configuration files of other programs', may: ['core', 'util', 'config'] },
  supervisor: {
    is: 'one run, from its registration to its settlement',
    may: [
      'core',
      'util',
      'config',
      'storage',
      'processes',
      'runs',
      'harnesses',
      'workspaces',
      'file-helper',
      'agents',
      'planning',
    ],
  },
  operations: {
    is: 'each thing a caller may do, defined once',
    may: [
      'core',
      'util',
      'config',
      'storage',
      'processes',
      'runs',
      'harnesses',
      'workspaces',
      'file-helper',
      'agents',
      'planning',
      'templates',
      'service',
      'mcp-install',
      'supervisor',
    ],
  },
  dispatcher: {
    is: 'decides what may start, and starts supervisors',
    may: [
      'core',
      'util',
      'config',
      'storage',
      'processes',
      'runs',
      'harnesses',
      'workspaces',
      'file-helper',
      'agents',
      'supervisor',
      'operations',
    ],
  },
  'worker-api': {
    is: 'requests from the processes of a run to their supervisor',
    may: ['core', 'config', 'storage', 'runs', 'workspaces', 'agents', 'supervisor', 'operations'],
  },
  mcp: {
    is: 'the tools of agents',
    may: ['core', 'util', 'config', 'storage', 'runs', 'agents', 'operations'],
  },
  http: {
    is: 'the HTTP API, the live feed and sign-in',
    may: [
      'core',
      'util',
      'config',
      'storage',
      'processes',
      'runs',
      'agents',
      'file-helper',
      'workspaces',
      'operations',
    ],
  },
  cli: {
    is: 'the command line',
    may: [
      'core',
      'util',
      'client',
      'config',
      'storage',
      'processes',
      'runs',
      'harnesses',
      'workspaces',
      'agents',
      'planning',
      'mcp-install',
      'supervisor',
      'operations',
    ],
  },
  entries: {
    is: 'one file per program',
    may: [
      'core',
      'util',
      'loader',
      'config',
      'storage',
      'processes',
      'runs',
      'harnesses',
      'planning',
      'file-helper',
      'supervisor',
      'dispatcher',
      'worker-api',
      'mcp',
      'http',
      'cli',
    ],
  },
}

/** Functions of `node:fs` that open a file. */
const OPENERS =
  'appendFile copyFile cp createReadStream createWriteStream default open openAsBlob promises readFile truncate writeFile'

/** Functions that read files which do not belong to Muster, so only the file helper may run them. */
const READERS =
  'archiveFolder attachCopy examineFolder hashContent storeFile probeFile probeJson readPieces readResult snapshotWorktree stageArtifacts readAttachmentPiece verifyFiles'

/** @returns {string[]} */
const namesIn = (/** @type {string} */ text) => text.split(' ').flatMap((name) => [name, `${name}Sync`])

/**
 * Modules that only some files may import. `names` limits the rule to these names. `owners` are path prefixes.
 * @type {{ from: RegExp, names?: string[], owners: string[], message: string }[]}
 */
export const POWERS = [
  {
    from: /^(node:)?fs(\/promises)?$/,
    names: namesIn(OPENERS),
    owners: ['src/util/guarded-files.ts'],
    message:
      'Closing any descriptor of the store drops its locks. Open files through util/guarded-files.ts, or add a task to src/file-helper/tasks.ts.',
  },
  {
    from: /^src\/.*\/(attachment-files|content-hash|examine-folder|file-probe|json-probe|read-attachment|readable-file|result-file-reader|snapshots|stage-artifacts|verify-files)\.ts$/,
    names: namesIn(READERS),
    owners: ['src/file-helper/'],
    message: 'Only the file helper may run this: use callFileHelper.',
  },
  {
    from: /^src\/workspaces\/git\/git-process\.ts$/,
    names: ['makeStartGit'],
    owners: ['src/workspaces/git/git.ts'],
    message: 'Git must not follow files that an agent wrote. Run it through src/workspaces/git/git.ts.',
  },
  {
    from: /^(node:)?child_process$/,
    owners: [
      'src/processes/spawn.ts',
      'src/processes/run-program.ts',
      'src/file-helper/helper-process.ts',
      'src/storage/sqlite/check-database-file.ts',
      'src/storage/sqlite/raw-file.ts',
    ],
    message: 'Start programs through src/processes/spawn.ts or src/processes/run-program.ts.',
  },
  {
    from: /^(node:)?worker_threads$/,
    owners: ['src/storage/sqlite/', 'src/worker-api/'],
    message: 'Only the SQLite store runs a thread.',
  },
  { from: /^(node:)?process$/, owners: [], message: 'The global `process` is enough.' },
  {
    from: /^((node:)?sqlite|@photostructure\/sqlite)$/,
    owners: ['src/storage/sqlite/'],
    message: 'Only src/storage/sqlite knows the SQLite driver.',
  },
  {
    from: /^postgres$/,
    owners: ['src/storage/postgres/'],
    message: 'Only src/storage/postgres knows the PostgreSQL driver.',
  },
  {
    from: /^src\/storage\/(sqlite|postgres)\//,
    owners: ['src/storage/', 'src/entries/'],
    message: 'Other folders use the Store interface, not a dialect.',
  },
]

/**
 * The folders of web/src. A screen imports the folders that all screens share, but no other screen, so that each can
 * change on its own. web/src/app puts the screens together.
 */
export const WEB_SCREENS = [
  'activity',
  'agents',
  'board',
  'card',
  'create',
  'health',
  'inbox',
  'palette',
  'settings',
  'sign-in',
]

/**
 * The folders of src/ that the dashboard may import. `types`: only with `import type`, because their code does not run in
 * a browser.
 * @type {Record<string, 'values' | 'types'>}
 */
export const WEB_MAY_IMPORT = { core: 'values', client: 'values', operations: 'types' }
