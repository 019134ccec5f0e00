/** The tab Overview: the result of the card, why it waits, its questions and its fields. */
import { useState } from 'react'
import type { TabProps } from '../card-details.ts'
import { CardFields } from '../fields/card-fields.tsx'
import type { FieldName } from '../fields/field-list.ts'
import { fieldMessages } from '../fields/messages.ts'
import { Artifacts, Attachments } from '../files/attachments.tsx'
import { DropPlace } from '../files/uploads.tsx'
import { useMessages } from '../../i18n/use-messages.tsx'
import { useQueryFields } from '../../routes/use-query-fields.ts'
import { TournamentSection } from '../tournament/tournament-section.tsx'
import { AttemptsSection } from './attempts-section.tsx'
import { ChangesSection } from './changes-section.tsx'
import { ChecksSection } from './checks-section.tsx'
import { Dependencies } from './dependencies.tsx'
import { readDescriptionDraft } from './description-draft.ts'
import { Description } from './description.tsx'
import { GoalSection } from './goal-section.tsx'
import { HandOffSection } from './hand-off-section.tsx'
import css from './overview.module.css'
import { PlanBox } from './plan-box.tsx'
import { Section } from './section.tsx'
import { SwarmSections } from './swarm.tsx'
import { Waits } from './waits.tsx'

export function OverviewTab({ card }: TabProps) {
  const t = useMessages(fieldMessages)
  const [field, setField] = useState<FieldName | null>(null)
  // If a draft was not saved, the editor opens again.
  const [isWriting, setIsWriting] = useState(() => readDescriptionDraft(card.id) !== null)
  const setQuery = useQueryFields()
  return (
    <DropPlace className={css.overview}>
      <div className={css.main}>
        <Waits card={card} onEdit={(name) => (name === 'body' ? setIsWriting(true) : setField(name))} />
        <TournamentSection card={card} />
        <PlanBox card={card} />
        <GoalSection card={card} onEdit={() => setField('goal')} />
        <HandOffSection card={card} />
        <ChecksSection card={card} />
        <ChangesSection card={card} onChanges={(file) => setQuery({ tab: 'changes', file })} />
        <Artifacts card={card} />
        <SwarmSections card={card} />
        <Description card={card} isEditing={isWriting} onEdit={setIsWriting} />
        <Dependencies card={card} />
        <Attachments card={card} />
      </div>
      <div className={css.side}>
        <Section title={t('details')}>
          <CardFields card={card} editing={card.deletedAt === null ? field : null} onEdit={setField} />
        </Section>
        <AttemptsSection card={card} />
      </div>
    </DropPlace>
  )
}
