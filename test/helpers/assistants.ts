/** Makes a user's home folder with the config file of an assistant, for the tests of `mcp install`. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeCliHome } from './in-process.ts'

const COMMAND = ['/opt/node/bin/node', '/opt/muster/dist/bin.js']
export const NAMES = ['claude', 'codex', 'opencode', 'gemini'] as const
export type Name = (typeof NAMES)[number]

const FILES: Readonly<Record<Name, string>> = {
  claude: '.claude.json',
  codex: '.codex/config.toml',
  opencode: '.config/opencode/opencode.json',
  gemini: '.gemini/settings.json',
}

export function makeDesk(name: Name, content: string | null = null) {
  const cli = makeCliHome()
  const user = join(cli.around, 'user')
  const file = join(user, FILES[name])
  mkdirSync(dirname(file), { recursive: true })
  const write = (text: string): void => writeFileSync(file, text)
  if (content !== null) write(content)
  const muster = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    cli.run(argv, { env: { HOME: user, ...env }, world: { commandLine: COMMAND } })
  return {
    home: cli.home,
    user,
    file,
    write,
    read: (): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null),
    install: (...flags: string[]) => muster(['mcp', 'install', name, ...flags]),
    remove: (...flags: string[]) => muster(['mcp', 'install', name, '--remove', ...flags]),
    /** Deletes Muster's record of the installation, so that the data folder is like a new one. */
    forget: () => rmSync(join(cli.home, 'assistants.json'), { force: true }),
    muster,
  }
}

export const tableOf = (name: Name): string => (name === 'opencode' ? 'mcp' : 'mcpServers')

/**
 * Returns the part of the config file to compare: for TOML the text added after `before`, for JSON the parsed value.
 */
export function reading(name: Name, text: string | null, before: string | null): unknown {
  if (name !== 'codex') return meaning(text ?? '')
  const was = before ?? ''
  return text?.startsWith(was) ? text.slice(was.length).trim() : `changed: ${text}`
}

export function readingWithTools(name: Name, home: string, before: string | null): unknown {
  const [command, program] = COMMAND
  const env = { MUSTER_HOME: home }
  if (name === 'codex')
    return [
      '[mcp_servers.muster]',
      `command = "${command}"`,
      `args = ["${program}", "mcp"]`,
      `env = { MUSTER_HOME = "${home}" }`,
    ].join(before?.includes('\r\n') ? '\r\n' : '\n')
  const was = meaning(before ?? '') as Record<string, object>
  const entry =
    name === 'opencode'
      ? { type: 'local', command: [...COMMAND, 'mcp'], environment: env }
      : { ...(name === 'claude' ? { type: 'stdio' } : {}), command, args: [program, 'mcp'], env }
  return { ...was, [tableOf(name)]: { ...was[tableOf(name)], muster: entry } }
}

/**
 * Returns the config after an uninstall without the install record. Such an uninstall cannot know whether the table
 * existed before.
 */
export function readingWithout(name: Name, before: string | null): unknown {
  return name === 'codex' ? '' : { [tableOf(name)]: {}, ...(meaning(before ?? '') as object) }
}

/** Parses JSON as a tolerant parser does: comments and trailing commas are ignored. */
function meaning(text: string): unknown {
  const plain = text
    .replace(/^\ufeff/, '')
    .replace(PARTS, (part) => (part.startsWith('"') ? part : ' '))
    .replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (part) => (part.startsWith('"') ? part : ''))
  return plain.trim() === '' ? {} : JSON.parse(plain)
}

const PARTS = /"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[^]*?\*\//g

export const commentsIn = (text: string): readonly string[] =>
  (text.match(PARTS) ?? []).filter((part) => part.startsWith('/'))
