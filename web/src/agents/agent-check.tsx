import { Stethoscope } from 'lucide-react'
import { client } from '../api/client.ts'
import { useCommand } from '../api/use-command.ts'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CheckResult } from './check-result.tsx'
import { detailMessages } from './detail-messages.ts'
import type { Member } from './queries.ts'

/** Starts the agent's program to read its version and its login state. */
export function AgentCheck({ member: { name, cli, harness } }: { readonly member: Member }) {
  const t = useMessages(detailMessages)
  const language = useLanguage()
  const check = useCommand<void, Awaited<ReturnType<typeof client.agentsCheck>>>({
    run: () => client.agentsCheck({ name }),
  })
  if (harness === null) return null
  return (
    <>
      <Button icon={<Stethoscope />} writes isBusy={check.isPending} tip={t('checkTip')} onClick={() => check.mutate()}>
        {t(check.isPending ? 'checking' : 'check')}
      </Button>
      <Dialog
        isOpen={check.isSuccess || check.isError}
        onClose={() => check.reset()}
        title={`${name}: ${t('checkTitle')}`}
        isNarrow
      >
        {check.isError && <p role="alert">{describeError(check.error, language)}</p>}
        {check.isSuccess && <CheckResult result={check.data} cli={cli} />}
      </Dialog>
    </>
  )
}
