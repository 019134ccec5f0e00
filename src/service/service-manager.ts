/** The part of the operating system that runs services: systemd on Linux, launchd on macOS. */
import type { ServiceDefinition } from './definition.ts'

/** A file of the service, with its whole content. If the file is secret, only the user may read it. */
export interface ServiceFile {
  readonly path: string
  readonly content: string
  readonly isSecret: boolean
}

export interface ServiceState {
  readonly isRunning: boolean
  /** Whether the service starts at login. */
  readonly isEnabled: boolean
  /** Whether the service also runs before login and after logout. Null means that this is unknown. */
  readonly lingers: boolean | null
  readonly since: number | null
  readonly pid: number | null
  /**
   * The reason why the service is not running, such as `exit code 1`. Null means that the service runs or was stopped.
   */
  readonly failure: string | null
}

export interface LogRequest {
  readonly lines: number
  readonly follow: boolean
}

export interface ServiceManager {
  readonly kind: 'systemd' | 'launchd'
  /** The name of the systemd unit, or the launchd label. */
  readonly name: string
  /** The file that defines the service. */
  readonly file: string
  /** The command that starts an installed service. */
  readonly startCommand: string
  /** The reason why this machine cannot run services. Null means that the machine can run services. */
  fault(): Promise<string | null>
  files(definition: ServiceDefinition): readonly ServiceFile[]
  /**
   * Loads the definition and starts the service, now and at each login. If `changed` is true, restarts a running
   * service.
   */
  activate(changed: boolean): Promise<void>
  /** Stops the service, and keeps it from starting at login. Its files are removed after this call. */
  deactivate(): Promise<void>
  /** Makes the system reload its definitions after the files are removed. */
  forget(): Promise<void>
  state(): Promise<ServiceState>
  logCommand(request: LogRequest): readonly string[]
}
