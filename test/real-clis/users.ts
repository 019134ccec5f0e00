/** How each CLI is set up by its user: here, so that it talks to the scripted model and to nobody else. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Said } from './dialects/dialect.ts'
import type { Cli } from './clis.ts'

export interface Setup {
  /** Files of the user's home, by their path in it. */
  readonly files: Readonly<Record<string, string>>
  /** Files of the repository that it works in, by their path in that. */
  readonly project?: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  /** Variables that its agent has in some scenes only, which name them. */
  readonly otherEnv?: Readonly<Record<string, string>>
  /** What stands in the agent's file beside the harness. */
  readonly args: readonly string[]
  /** Where in the user's home the program keeps what is its own, and what that is. */
  readonly state: Readonly<Record<string, string>>
  /** How it is told that a limit is met, which recording that makes, and how long it may try again by itself. */
  readonly limit: {
    readonly scene: string
    readonly headers: Readonly<Record<string, string>>
    readonly waitMs: number
  }
  /** The tool with which the model runs a command. */
  shell(command: string): Said
  /** The tool with which it writes a file itself. */
  write(path: string, content: string): Said
  readonly read: (path: string) => Said
  /** Whether its sandbox lets it read every file of the user. */
  readonly readsEverything?: boolean
  /** Ways to change a file, and to put one beside it. */
  readonly changes: (path: string) => readonly Said[]
}

/** What people have at home, whatever they work with. */
const HOUSEHOLD = {
  '.gitconfig': '[user]\n\tname = Ada\n\temail = ada@example.org\n',
  '.bashrc': '# mine\n',
  '.profile': '# mine\n',
  '.config/git/ignore': '*.orig\n',
  '.agents/skills/own/SKILL.md': '---\nname: own\ndescription: My own\n---\nMine.\n',
  '.npmrc': 'fund=false\n',
}

const TIMELESS = { scene: 'rate-limited', headers: {}, waitMs: 4_000 }

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

export const SETUPS: Readonly<Record<Cli, (model: string, home: string) => Setup>> = {
  claude: (model) => ({
    files: {
      '.claude/settings.json': json({ cleanupPeriodDays: 30 }),
      '.claude/CLAUDE.md': 'Answer briefly.\n',
      '.claude/agents/own.md': '---\nname: own\ndescription: My own\n---\nMine.\n',
    },
    state: {
      '.claude.json': 'how often it was started, which folders it knows',
      '.claude/backups': 'earlier states of that file',
      '.claude/projects': 'sessions',
      '.claude/.last-cleanup': 'when it last removed old sessions',
      '.claude/shell-snapshots': 'what its shell starts from',
      '.cache/claude-cli-nodejs': 'logs of its tools',
    },
    limit: TIMELESS,
    env: {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_MAX_RETRIES: '1',
      // As root it refuses to work without limits, unless it is told that it is in a box.
      IS_SANDBOX: '1',
    },
    // Of a subscription, whose limits are told in another way than those of a key.
    otherEnv: { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-scripted' },
    args: [],
    shell: (command) => ({ tool: 'Bash', input: { command, description: 'runs it' } }),
    write: (path, content) => ({ tool: 'Write', input: { file_path: path, content } }),
    read: (path) => ({ tool: 'Read', input: { file_path: path } }),
    changes: (path) => [
      { tool: 'Write', input: { file_path: path, content: 'x' } },
      { tool: 'Write', input: { file_path: `${path}.new`, content: 'x' } },
      { tool: 'Edit', input: { file_path: path, old_string: 'le', new_string: 'x' } },
      { tool: 'Bash', input: { command: `printf x > '${path}'`, description: 'writes' } },
      { tool: 'Bash', input: { command: `sed -i s/t/x/ '${path}'`, description: 'edits' } },
    ],
  }),
  codex: (model) => ({
    state: {
      '.codex/sessions': 'sessions',
      '.codex/installation_id': 'what it calls itself',
      '.codex/.sandbox_migration': 'what it has brought up to date',
      '.codex/.tmp': 'work in progress',
      '.codex/tmp': 'work in progress',
      '.codex/shell_snapshots': 'what its shell starts from',
      '.codex/thread-writer-locks': 'locks',
      '.codex/skills/.system': 'skills that come with it',
      ...Object.fromEntries(
        ['goals', 'logs', 'memories', 'queue', 'state', 'thread_history'].map((name) => [
          `.codex/${name}_*`,
          'its databases',
        ]),
      ),
    },
    limit: TIMELESS,
    files: {
      '.codex/AGENTS.md': 'Answer briefly.\n',
      '.codex/config.toml': [
        'model = "scripted"',
        'model_provider = "scripted"',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${model}/v1"`,
        'env_key = "SCRIPTED_KEY"',
        'wire_api = "responses"',
        'request_max_retries = 1',
        'stream_max_retries = 1',
        '',
      ].join('\n'),
    },
    env: { SCRIPTED_KEY: 'scripted' },
    args: [],
    shell: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
    write: (path, content) => ({
      tool: 'exec_command',
      input: { cmd: `apply_patch <<'END'\n*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch\nEND` },
    }),
    readsEverything: true,
    read: (path) => ({ tool: 'exec_command', input: { cmd: `cat '${path}'` } }),
    changes: (path) => [
      { tool: 'exec_command', input: { cmd: `printf x > '${path}'` } },
      { tool: 'exec_command', input: { cmd: `printf x > '${path}.new'` } },
      {
        tool: 'exec_command',
        input: { cmd: `apply_patch <<'END'\n*** Begin Patch\n*** Delete File: ${path}\n*** End Patch\nEND` },
      },
    ],
  }),
  opencode: (model) => ({
    state: {
      '.local/share/opencode': 'sessions and log-ins',
      '.local/state/opencode': 'what was used last',
      '.cache/opencode': 'lists of models, programs that it fetched',
      '.npm': 'what npm fetched for it',
      // Into every folder of settings it puts the library that its plug-ins use, and tells git to ignore that.
      '.config/opencode/node_modules': 'a library for plug-ins',
      '.config/opencode/package.json': 'a library for plug-ins',
      '.config/opencode/package-lock.json': 'a library for plug-ins',
      '.config/opencode/bun.lock': 'a library for plug-ins',
      '.config/opencode/.gitignore': 'a library for plug-ins',
    },
    project: { 'opencode.json': json({ share: 'disabled' }), '.opencode/opencode.json': json({ autoupdate: false }) },
    // Without a time it goes on trying for more than a minute.
    limit: { scene: 'rate-limited-until', headers: { 'retry-after': '1' }, waitMs: 30_000 },
    files: {
      '.config/opencode/AGENTS.md': 'Answer briefly.\n',
      '.config/opencode/opencode.json': json({
        // No `$schema`: it would write that line itself.
        model: 'scripted/scripted',
        small_model: 'scripted/scripted',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'scripted',
            options: { baseURL: `${model}/v1`, apiKey: 'scripted' },
            models: { scripted: { name: 'scripted' } },
          },
        },
      }),
    },
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1' },
    args: [],
    shell: (command) => ({ tool: 'bash', input: { command, description: 'runs it' } }),
    write: (path, content) => ({ tool: 'write', input: { filePath: path, content } }),
    read: (path) => ({ tool: 'read', input: { filePath: path } }),
    changes: (path) => [
      { tool: 'write', input: { filePath: path, content: 'x' } },
      { tool: 'write', input: { filePath: `${path}.new`, content: 'x' } },
      { tool: 'write', input: { filePath: `${dirname(path)}/../${basename(dirname(path))}/new`, content: 'x' } },
      { tool: 'edit', input: { filePath: path, oldString: 'le', newString: 'x' } },
      { tool: 'bash', input: { command: `printf x > '${path}'`, description: 'writes' } },
    ],
  }),
  gemini: (model, home) => ({
    // By its own harness it has a home of its own for these; by ACP it has not.
    state: {
      '.gemini/tmp': 'conversations',
      '.gemini/history': 'copies of files that it changed',
      '.gemini/installation_id': 'who it is to its maker',
      '.gemini/projects.json': 'where it has worked',
    },
    limit: TIMELESS,
    files: {
      '.gemini/GEMINI.md': 'Answer briefly.\n',
      '.gemini/settings.json': json({
        security: { auth: { selectedType: 'gemini-api-key' } },
        telemetry: { enabled: false },
      }),
      'few-turns/.gemini/settings.json': json({
        security: { auth: { selectedType: 'gemini-api-key' } },
        model: { maxSessionTurns: 1 },
      }),
    },
    env: { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'scripted' },
    otherEnv: { GEMINI_CLI_HOME: join(home, 'few-turns') },
    args: [],
    shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'runs it' } }),
    write: (path, content) => ({ tool: 'write_file', input: { file_path: path, content } }),
    read: (path) => ({ tool: 'read_file', input: { file_path: path } }),
    // A name that is not in the workspace is looked for in all folders that it may enter.
    changes: (path) => [
      { tool: 'write_file', input: { file_path: path, content: 'x' } },
      { tool: 'write_file', input: { file_path: `${path}.new`, content: 'x' } },
      { tool: 'write_file', input: { file_path: `/${path}`, content: 'x' } },
      { tool: 'write_file', input: { file_path: `/.${path}`, content: 'x' } },
      { tool: 'replace', input: { file_path: path, old_string: 't', new_string: 'x', instruction: 'edit' } },
      { tool: 'replace', input: { file_path: basename(path), old_string: 'le', new_string: 'x', instruction: 'edit' } },
      { tool: 'run_shell_command', input: { command: `printf x > '${path}'`, description: 'writes' } },
    ],
  }),
}

export const setUp = (home: string, { files }: Setup): void => writeFiles(home, { ...HOUSEHOLD, ...files })

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}
