/** How each CLI is set up by its user: here, so that it talks to the scripted model and to nobody else. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Said } from './dialects/dialect.ts'
import type { Cli } from './clis.ts'

export interface Setup {
  /** Files of the user's home, by their path in it. */
  readonly files: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  /** What stands in the agent's file beside the harness. */
  readonly args: readonly string[]
  /** The tool with which the model runs a command. */
  shell(command: string): Said
  /** The tool with which it writes a file itself. */
  write(path: string, content: string): Said
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

export const SETUPS: Readonly<Record<Cli, (model: string) => Setup>> = {
  claude: (model) => ({
    files: { '.claude/settings.json': json({ cleanupPeriodDays: 30 }) },
    env: {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_MAX_RETRIES: '1',
      // As root it refuses to work without limits, unless it is told that it is in a box.
      IS_SANDBOX: '1',
    },
    args: [],
    shell: (command) => ({ tool: 'Bash', input: { command, description: 'runs it' } }),
    write: (path, content) => ({ tool: 'Write', input: { file_path: path, content } }),
  }),
  codex: (model) => ({
    files: {
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
  }),
  opencode: (model) => ({
    files: {
      '.config/opencode/opencode.json': json({
        // It writes this line itself where it is missing, whoever starts it.
        $schema: 'https://opencode.ai/config.json',
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
  }),
  gemini: (model) => ({
    files: {
      '.gemini/settings.json': json({
        security: { auth: { selectedType: 'gemini-api-key' } },
        telemetry: { enabled: false },
      }),
    },
    env: { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'scripted' },
    args: [],
    shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'runs it' } }),
    write: (path, content) => ({ tool: 'write_file', input: { file_path: path, content } }),
  }),
}

export function setUp(home: string, { files }: Setup): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(home, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}
