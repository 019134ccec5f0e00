/** The user's setup of each CLI, with which the CLI sends requests only to the scripted model. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ModelReply } from './dialects/dialect.ts'
import type { Cli } from './clis.ts'

export interface Setup {
  /** Files in the user's home, by path. */
  readonly files: Readonly<Record<string, string>>
  /** The files in the repository in which the CLI works, by path. */
  readonly project?: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  /** The environment variables that the agent gets only in scenes that name them. */
  readonly otherEnv?: Readonly<Record<string, string>>
  /** The `args` in the agent's file. */
  readonly args: readonly string[]
  /** The paths in the user's home where the program keeps its own state, and their content. */
  readonly state: Readonly<Record<string, string>>
  /** The reply that reports a limit, the name of its recording, and the time for which the CLI may retry. */
  readonly limit: {
    readonly scene: string
    readonly headers: Readonly<Record<string, string>>
    readonly waitMs: number
  }
  /** The tool with which the model runs a command. */
  shell(command: string): ModelReply
  /** The tool with which the model writes a file. */
  write(path: string, content: string): ModelReply
  readonly read: (path: string) => ModelReply
  /** Whether the sandbox of the CLI allows it to read every file of the user. */
  readonly readsEverything?: boolean
  /** Tool calls that change a file or create a file beside it. */
  readonly changes: (path: string) => readonly ModelReply[]
}

/** Files that many people have in their home folder. */
const COMMON_FILES = {
  '.gitconfig': '[user]\n\tname = Ada\n\temail = ada@example.org\n',
  '.bashrc': '# mine\n',
  '.profile': '# mine\n',
  '.config/git/ignore': '*.orig\n',
  '.agents/skills/own/SKILL.md': '---\nname: own\ndescription: My own\n---\nMine.\n',
  '.npmrc': 'fund=false\n',
}

const NO_RESET_TIME = { scene: 'rate-limited', headers: {}, waitMs: 4_000 }

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

export const SETUPS: Readonly<Record<Cli, (model: string, home: string) => Setup>> = {
  claude: (model) => ({
    files: {
      '.claude/settings.json': json({ cleanupPeriodDays: 30 }),
      '.claude/CLAUDE.md': 'Answer briefly.\n',
      '.claude/agents/own.md': '---\nname: own\ndescription: My own\n---\nMine.\n',
    },
    state: {
      '.claude.json': 'the number of its starts, and known folders',
      '.claude/backups': 'earlier states of that file',
      '.claude/projects': 'sessions',
      '.claude/.last-cleanup': 'the time of its last clean-up',
      '.claude/shell-snapshots': 'the initial state of its shell',
      '.cache/claude-cli-nodejs': 'logs of its tools',
    },
    limit: NO_RESET_TIME,
    env: {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_MAX_RETRIES: '1',
      // As root, Claude Code refuses full permissions unless this variable is set.
      IS_SANDBOX: '1',
    },
    // The token of a subscription. For a subscription, Claude Code reports limits in another way than for a key.
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
      '.codex/installation_id': 'its own id',
      '.codex/.sandbox_migration': 'finished migrations',
      '.codex/.tmp': 'work in progress',
      '.codex/tmp': 'work in progress',
      '.codex/shell_snapshots': 'the initial state of its shell',
      '.codex/thread-writer-locks': 'locks',
      '.codex/skills/.system': 'skills that come with it',
      ...Object.fromEntries(
        ['goals', 'logs', 'memories', 'queue', 'state', 'thread_history'].map((name) => [
          `.codex/${name}_*`,
          'its databases',
        ]),
      ),
    },
    limit: NO_RESET_TIME,
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
      '.local/share/opencode': 'sessions and logins',
      '.local/state/opencode': 'recently used models',
      '.cache/opencode': 'lists of models, and downloaded programs',
      '.npm': 'packages that npm downloaded for it',
      // OpenCode installs a library for plug-ins in every settings folder, and makes git ignore the library.
      '.config/opencode/node_modules': 'a library for plug-ins',
      '.config/opencode/package.json': 'a library for plug-ins',
      '.config/opencode/package-lock.json': 'a library for plug-ins',
      '.config/opencode/bun.lock': 'a library for plug-ins',
      '.config/opencode/.gitignore': 'a library for plug-ins',
    },
    project: { 'opencode.json': json({ share: 'disabled' }), '.opencode/opencode.json': json({ autoupdate: false }) },
    // Without a retry time in the reply, OpenCode retries for more than a minute.
    limit: { scene: 'rate-limited-until', headers: { 'retry-after': '1' }, waitMs: 30_000 },
    files: {
      '.config/opencode/AGENTS.md': 'Answer briefly.\n',
      '.config/opencode/opencode.json': json({
        // The settings have no `$schema`, because OpenCode adds this line itself.
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
    // With the harness `gemini`, these paths are in the home folder of the run. With ACP, they are in the user's home.
    state: {
      '.gemini/tmp': 'conversations',
      '.gemini/history': 'copies of changed files',
      '.gemini/installation_id': 'its own id',
      '.gemini/projects.json': 'the folders it has worked in',
    },
    limit: NO_RESET_TIME,
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
    // Some paths in this list are only names, because Gemini CLI searches all readable folders for a name that is not
    // in the workspace.
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

export const setUp = (home: string, { files }: Setup): void => writeFiles(home, { ...COMMON_FILES, ...files })

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}
