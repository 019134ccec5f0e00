import type { Environment } from '../config/environment.ts'
import { runProgram } from '../processes/run-program.ts'

const WAIT_MS = 5_000

/** Opens a URL in the user's browser. Returns false if no program could open it. */
export async function openInBrowser(url: string, env: Environment): Promise<boolean> {
  const program = programOf(env)
  if (program === null) return false
  const { PATH, HOME, DISPLAY, WAYLAND_DISPLAY, XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS, XAUTHORITY } = env
  const own = { PATH, HOME, DISPLAY, WAYLAND_DISPLAY, XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS, XAUTHORITY }
  const { code } = await runProgram(program, [url], { cwd: '/', env: own, timeoutMs: WAIT_MS })
  return code === 0
}

/** Returns the program that opens URLs. Returns null on a machine without a screen. */
function programOf(env: Environment): string | null {
  if (process.platform === 'darwin') return 'open'
  return (env['DISPLAY'] ?? env['WAYLAND_DISPLAY'] ?? '') === '' ? null : 'xdg-open'
}
