/** The form with every setting of a board. All changes are saved together. */
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import type { BoardSettings } from '../../../../src/core/board.ts'
import type { SettingName } from '../../../../src/core/setting-text.ts'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import type { BoardSummary } from '../../api/queries.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { IconButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.ts'
import { Panel } from '../panel.tsx'
import { useRefusedScope } from '../use-scope.ts'
import css from './boards.module.css'
import { boardsMessages } from './messages.ts'
import { SaveBar } from './save-bar.tsx'
import { changesOf, refusedSetting } from './setting-draft.ts'
import type { SettingDraft } from './setting-draft.ts'
import { SettingField, settingId } from './setting-field.tsx'
import { GROUP_NAMES, SETTING_GROUPS } from './setting-groups.ts'
import { groupMessages } from './setting-messages.ts'
import { useFaultText } from './use-fault-text.ts'

interface Props {
  readonly board: BoardSummary
  readonly onBack: () => void
}

export function BoardForm({ board, onBack }: Props) {
  const t = useMessages(boardsMessages)
  const tGroup = useMessages(groupMessages)
  const refused = useRefusedScope('admin')
  const { draft, change, changes, save, isSaving, error, errorOf, discard } = useSettings(board)
  return (
    <form
      className={css.settings}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Panel
        title={
          <span className={css.name}>
            <IconButton size="small" icon={<ArrowLeft />} label={t('back')} onClick={onBack} />
            {t('settingsOf', { board: board.name })}
          </span>
        }
        {...(refused !== null && { about: refused })}
        {...(board.archivedAt !== null && { about: t('archivedNote') })}
      />
      {GROUP_NAMES.map((group) => (
        <Panel key={group} title={tGroup(group)}>
          {SETTING_GROUPS[group].map((name) => (
            <SettingField
              key={name}
              name={name}
              saved={board.settings[name]}
              typed={draft[name] ?? null}
              error={errorOf(name)}
              isReadOnly={refused !== null}
              onChange={(text) => change(name, text)}
            />
          ))}
        </Panel>
      ))}
      <SaveBar
        changes={changes.count}
        faults={Object.keys(changes.faults).length}
        isBusy={isSaving}
        error={error}
        onSave={save}
        onDiscard={discard}
      />
      <button type="submit" hidden>
        {t('save')}
      </button>
    </form>
  )
}

/** The server's refusal of one field. It is shown until the field changes. */
interface Refusal {
  readonly name: SettingName | null
  readonly text: string
}

function useSettings(board: BoardSummary) {
  const t = useMessages(boardsMessages)
  const language = useLanguage()
  const faultText = useFaultText()
  const [draft, setDraft] = useState<SettingDraft>({})
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const changes = changesOf(board.settings, draft)
  const command = useCommand<Partial<BoardSettings>, unknown>({
    run: (settings) => client.boardsSet({ slug: board.slug, settings }),
    refresh: () => [keys.boards, keys.board(board.slug), keys.summary],
    onDone() {
      setDraft({})
      showToast({ kind: 'done', text: t('saved', { board: board.name }) })
    },
    onRefusal: (error) => setRefusal({ name: refusedSetting(error.details), text: describeError(error, language) }),
  })
  return {
    draft,
    changes,
    isSaving: command.isPending,
    error: refusal !== null && refusal.name === null ? refusal.text : null,
    change: (name: SettingName, text: string | null): void => {
      const { [name]: _, ...others } = draft
      setDraft(text === null ? others : { ...others, [name]: text })
      setRefusal(null)
    },
    discard: (): void => {
      setDraft({})
      setRefusal(null)
    },
    save: (): void => {
      const [first] = Object.keys(changes.faults)
      if (first !== undefined) document.getElementById(settingId(first))?.focus()
      else if (changes.count > 0) command.mutate(changes.settings)
    },
    errorOf: (name: SettingName): string | null => {
      const fault = changes.faults[name]
      if (fault !== undefined) return faultText(fault)
      return refusal?.name === name ? refusal.text : null
    },
  }
}
