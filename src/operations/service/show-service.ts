import { serviceStatus } from '../../service/service.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'
import { serviceHost } from './service-host.ts'

const schemas = ({ z, time, count }: SchemaKit) => ({
  input: z.object({}),
  output: z.object({
    manager: z.enum(['systemd', 'launchd']),
    name: z.string(),
    /** The file that defines the service. */
    file: z.string(),
    /** The data folder that the service uses. */
    home: z.string(),
    isInstalled: z.boolean(),
    isRunning: z.boolean(),
    isEnabled: z.boolean(),
    lingers: z.boolean().nullable(),
    since: time.nullable(),
    pid: count.nullable(),
    failure: z.string().nullable(),
    /**
     * The problem of the service, and the command that fixes the problem. Null means that the service has no problem.
     */
    problem: z.object({ text: z.string(), fix: z.string() }).nullable(),
  }),
})

export type ServiceView = OutputOf<typeof schemas>

export const showService = defineOperation({
  name: 'service status',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Show whether the service is installed and running.',
  schemas,
  run: async (context) => {
    const host = serviceHost(context)
    return { home: host.home, ...(await serviceStatus(host)) }
  },
})
