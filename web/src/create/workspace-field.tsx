import { Folder, FolderPlus, GitBranch } from 'lucide-react'
import type { ReactNode } from 'react'
import { WORKSPACE_KINDS } from '../../../src/core/vocabulary.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Select } from '../ui/select.tsx'
import css from './create.module.css'
import type { WorkspaceKind } from './draft.ts'
import { FormField, TextFormField } from './form-field.tsx'
import { createMessages } from './messages.ts'
import type { CreateForm } from './use-create-form.ts'

const ICONS: Readonly<Record<WorkspaceKind, ReactNode>> = {
  scratch: <FolderPlus />,
  dir: <Folder />,
  worktree: <GitBranch />,
}

const iconOf = (value: string): ReactNode => {
  const kind = WORKSPACE_KINDS.find((one) => one === value)
  return kind === undefined ? null : ICONS[kind]
}

export function WorkspaceField({ form }: { readonly form: CreateForm }) {
  const t = useMessages(createMessages)
  return (
    <FormField form={form} name="workspace" label={t('workspace')}>
      {(control) => (
        <Select
          {...control}
          label={t('workspace')}
          value={form.draft.workspace}
          options={WORKSPACE_KINDS.map((kind) => ({
            value: kind,
            label: t(`workspace_${kind}`),
            note: t(`workspaceNote_${kind}`),
          }))}
          renderOption={({ value, label }) => (
            <span className={css.option}>
              {iconOf(value)}
              {label}
            </span>
          )}
          onChange={(value) => {
            const kind = WORKSPACE_KINDS.find((one) => one === value)
            if (kind !== undefined) form.set('workspace', kind)
          }}
        />
      )}
    </FormField>
  )
}

/** Chooses the folder of a card that gets no new folder. */
export function PlaceFields({ form }: { readonly form: CreateForm }) {
  const t = useMessages(createMessages)
  const { workspace } = form.draft
  if (workspace === 'scratch') return null
  const isWorktree = workspace === 'worktree'
  return (
    <div className={isWorktree ? css.three : undefined}>
      <TextFormField
        form={form}
        name="folder"
        isCode
        label={t(isWorktree ? 'repository' : 'folder')}
        placeholder={form.settings?.defaultDirectory ?? t('folderPlaceholder')}
      />
      {isWorktree && (
        <>
          <TextFormField form={form} name="branch" isCode label={t('branch')} placeholder={t('branchPlaceholder')} />
          <TextFormField form={form} name="base" isCode label={t('base')} placeholder={t('basePlaceholder')} />
        </>
      )}
    </div>
  )
}
