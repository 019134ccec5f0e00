import { BoardError } from '../../core/errors.ts'
import { definitionOf } from '../../service/definition.ts'
import { installService as install, managerFor } from '../../service/service.ts'
import { defineOperation } from '../shared/operation.ts'
import { serviceHost } from './service-host.ts'

export const installService = defineOperation({
  name: 'service install',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Run Muster in the background, starting at login or boot.',
  schemas: ({ z }) => ({
    input: z.object({
      env: z
        .array(z.string())
        .readonly()
        .default([])
        .describe('Environment variable to pass to the service, such as an API key'),
      awake: z.boolean().default(false).describe('Keep the machine awake while cards run'),
    }),
    output: z.object({
      change: z.enum(['installed', 'updated', 'none']),
      manager: z.enum(['systemd', 'launchd']),
      name: z.string(),
      home: z.string(),
      /** The files of the service. */
      files: z.array(z.string()).readonly(),
      isRunning: z.boolean(),
      /** Whether the service continues after logout and starts at boot. Null means that this is unknown. */
      lingers: z.boolean().nullable(),
    }),
  }),
  run: async (context, { env: variables, awake }) => {
    const host = serviceHost(context)
    const missing = variables.find((name) => !/^[A-Za-z_]\w*$/.test(name) || host.env[name] === undefined)
    if (missing !== undefined)
      throw new BoardError(
        'invalid_input',
        `Variable ${missing} is not set in this shell. Set it, or leave out --env ${missing}.`,
      )
    const definition = definitionOf(host, { store: context.options.store, variables, awake })
    const { change, files, state } = await install(host, definition)
    const { kind, name } = managerFor(host)
    const { isRunning, lingers } = state
    return { change, manager: kind, name, home: host.home, files, isRunning, lingers }
  },
})
