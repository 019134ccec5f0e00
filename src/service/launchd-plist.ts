/** The text of a launchd agent. */
import { logFile } from './definition.ts'
import type { ServiceDefinition } from './definition.ts'
import { MARK } from './systemd-unit.ts'

/**
 * The property list. `AbandonProcessGroup` means that a stop ends only `muster up`, so that the supervisors of running
 * cards continue.
 */
export const launchdPlist = (
  label: string,
  { home, commandLine, path, secrets }: ServiceDefinition,
): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${MARK} To change it, run that command again. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  ${text(label)}
  <key>ProgramArguments</key>
  <array>
${commandLine.map((part) => `    ${text(part)}`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${Object.entries({ MUSTER_HOME: home, PATH: path, ...secrets })
  .map(([name, value]) => `    <key>${escaped(name)}</key>\n    ${text(value)}`)
  .join('\n')}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardOutPath</key>
  ${text(logFile(home))}
  <key>StandardErrorPath</key>
  ${text(logFile(home))}
</dict>
</plist>
`

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const text = (value: string): string => `<string>${escaped(value)}</string>`
