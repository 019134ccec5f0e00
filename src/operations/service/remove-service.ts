import { uninstallService } from '../../service/service.ts'
import { defineOperation } from '../shared/operation.ts'
import { serviceHost } from './service-host.ts'

export const removeService = defineOperation({
  name: 'service uninstall',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Stop the service and remove its files. Running cards continue.',
  schemas: ({ z }) => ({
    input: z.object({}),
    output: z.object({
      /** The removed files. The list is empty if the service was not installed. */
      removed: z.array(z.string()).readonly(),
    }),
  }),
  run: async (context) => ({ removed: await uninstallService(serviceHost(context)) }),
})
