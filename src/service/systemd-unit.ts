/** The text of a systemd user unit. */
import { secretsFile } from './definition.ts'
import type { ServiceDefinition } from './definition.ts'

/** The line that marks files which Muster may replace and remove. */
export const MARK = 'Written by `muster service install`.'

/**
 * The unit. It has three settings with a reason:
 *
 * - `KillMode=process`: a stop ends only `muster up`, because the supervisors of running cards must continue. By
 *   default, systemd would kill them too, and `mixed` would kill them after the main process.
 * - `OOMPolicy=continue`: an agent that runs out of memory does not end the service.
 * - `StartLimitIntervalSec=0`: the service keeps trying, for example until the store can be reached.
 */
export const systemdUnit = ({ home, commandLine, path, secrets }: ServiceDefinition): string =>
  [
    `# ${MARK} To change it, run that command again.`,
    '[Unit]',
    'Description=Muster: runs AI agents on the cards of your boards',
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${execStart(commandLine)}`,
    `Environment=${quoted(`MUSTER_HOME=${home}`)}`,
    `Environment=${quoted(`PATH=${path}`)}`,
    ...(Object.keys(secrets).length === 0 ? [] : [`EnvironmentFile=${specifiers(secretsFile(home))}`]),
    'Restart=on-failure',
    'RestartSec=10',
    'KillMode=process',
    'OOMPolicy=continue',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n')

const specifiers = (text: string): string => text.replaceAll('%', '%%')

const quoted = (text: string): string => `"${specifiers(text.replace(/[\\"]/g, '\\$&'))}"`

/**
 * The command of the unit. systemd expands `$` in the arguments but not in the path of the program. So `$` is doubled
 * only in the arguments.
 */
const execStart = ([program = '', ...args]: readonly string[]): string =>
  [word(program), ...args.map((arg) => word(arg).replaceAll('$', () => '$$'))].join(' ')

const word = (text: string): string => (/^[\w@+=:,./-]+$/.test(text) ? text : quoted(text))

/** The file with secret variables, quoted in the form that systemd reads. */
export const environmentFile = (variables: Readonly<Record<string, string>>): string =>
  [
    `# ${MARK}`,
    ...Object.entries(variables).map(([name, value]) => `${name}="${value.replace(/[\\"`$]/g, '\\$&')}"`),
    '',
  ].join('\n')
