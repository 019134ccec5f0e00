import { Pause, Play } from 'lucide-react'
import { useState } from 'react'
import { useMessages } from '../i18n/use-messages.tsx'
import { useShortcuts } from '../shortcuts/use-shortcut.tsx'
import { Button } from '../ui/button.tsx'
import { agentsMessages } from './messages.ts'
import { PauseDialog } from './pause-dialog.tsx'
import { pauseMessages } from './pause-messages.ts'
import type { Member } from './queries.ts'
import { useResume } from './use-pause.ts'

export function PauseButtons({ member: { name, pause } }: { readonly member: Member }) {
  const t = useMessages(pauseMessages)
  const tScreen = useMessages(agentsMessages)
  const [isOpen, setIsOpen] = useState(false)
  const resume = useResume('agent', name)
  const act = (): void => (pause === null ? setIsOpen(true) : resume.mutate())
  useShortcuts([{ keys: 'p', name: tScreen('pauseOrResume'), group: tScreen('groupAgents'), onPress: act }])
  return (
    <>
      <Button icon={pause === null ? <Pause /> : <Play />} writes isBusy={resume.isPending} onClick={act}>
        {t(pause === null ? 'pause' : 'resume')}
      </Button>
      {isOpen && <PauseDialog name={name} onClose={() => setIsOpen(false)} />}
    </>
  )
}
