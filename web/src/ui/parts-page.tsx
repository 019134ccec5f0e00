/** A page with all interface components, for development: `npm run web`, then /ui. */
import { Bot, Copy, Inbox, Pause, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { STATUSES } from '../../../src/core/vocabulary.ts'
import { notConnected } from '../api/errors.ts'
import { statusMessages } from '../cards/status-messages.ts'
import { chooseLanguage, LANGUAGE_NAMES, LANGUAGES } from '../i18n/language.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { useValue } from '../app-state/use-value.ts'
import { chooseTheme, THEMES, themeValue } from '../theme/theme.ts'
import { Avatar } from './avatar.tsx'
import { Button, IconButton } from './button.tsx'
import { CodeBlock } from './code-block.tsx'
import { ConfirmDialog, Dialog } from './dialog.tsx'
import { Drawer } from './drawer.tsx'
import { TextArea, TextField } from './field.tsx'
import { Kbd } from './kbd.tsx'
import { Markdown } from './markdown.tsx'
import { ContextMenu, Menu } from './menu.tsx'
import type { MenuEntry } from './menu.tsx'
import css from './parts-page.module.css'
import { Count, Pill, Tag } from './pill.tsx'
import { Popover } from './popover.tsx'
import { Combobox, Select } from './select.tsx'
import { EmptyState, ErrorState, Skeleton } from './states.tsx'
import { hueOf } from './status-hue.ts'
import { StatusIcon } from './status-icon.tsx'
import { Choices, Switch } from './switch.tsx'
import { Tabs } from './tabs.tsx'
import { Clock, Money, RelativeTime } from './time.tsx'
import { ToastRegion } from './toast.tsx'
import { showToast } from './toasts.ts'
import { VirtualList } from './virtual-list.tsx'

const AGENTS = ['claude', 'codex', 'opencode', 'gemini', 'hermes', 'shell', 'researcher', 'writer']
const TEXT =
  '# Plan\n\nSee [the page](https://example.com), then `npm test`.\n\n- [x] read\n- [ ] write\n\n```\nconst a = 1\n```'
const NOW = Date.now()
const ROWS = Array.from({ length: 5_000 }, (_, at) => `Row ${at + 1}`)
const MENU: readonly MenuEntry[] = [
  { key: 'h', heading: 'Card' },
  { key: 'copy', label: 'Copy the link', icon: <Copy />, end: <Kbd keys="mod+c" />, onChoose: () => {} },
  { key: 'no', label: 'Hold', icon: <Pause />, disabledReason: 'It has no open run', onChoose: () => {} },
  { key: 'l', line: true },
  { key: 'delete', label: 'Delete', icon: <Trash2 />, isDanger: true, onChoose: () => {} },
]

const Part = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <section className={css.part}>
    <h2 className={css.name}>{name}</h2>
    <div className={css.row}>{children}</div>
  </section>
)

export const PartsPage = () => (
  <main className={css.page}>
    <LookChoices />
    <Buttons />
    <Fields />
    <Layers />
    <Marks />
    <Texts />
    <Places />
    <ToastRegion />
  </main>
)

function LookChoices() {
  return (
    <Part name="Theme, language">
      <Choices
        label="Theme"
        choices={THEMES.map((key) => ({ key, label: key }))}
        current={useValue(themeValue)}
        onChange={chooseTheme}
      />
      <Choices
        label="Language"
        choices={LANGUAGES.map((key) => ({ key, label: LANGUAGE_NAMES[key] }))}
        current={useLanguage()}
        onChange={chooseLanguage}
      />
    </Part>
  )
}

const Buttons = () => (
  <Part name="Button, IconButton, Kbd">
    <Button icon={<Plus />} look="primary">
      New card <Kbd keys="c" />
    </Button>
    <Button>Approve</Button>
    <Button look="ghost">Cancel</Button>
    <Button isDanger>Delete</Button>
    <Button isBusy>Saving</Button>
    <Button disabledReason="Its checks have not run">Complete</Button>
    <Button size="small">Answer</Button>
    <IconButton icon={<Copy />} label="Copy" />
    <Kbd keys="mod+k" />
    <Kbd keys="g b" />
  </Part>
)

function Fields() {
  const [agent, setAgent] = useState<string | null>('claude')
  const [isOn, setIsOn] = useState(true)
  const options = AGENTS.map((value) => ({ value, label: value }))
  return (
    <Part name="Input, Textarea, Select, Combobox, Switch">
      <div className={css.fields}>
        <TextField label="Title" hint="What to do, in one line" placeholder="Fix the login" />
        <TextField label="Priority" error="Enter a whole number." defaultValue="high" />
        <TextArea label="Details" remark="optional" />
        <Select
          label="Agent"
          options={options.slice(0, 4)}
          value={agent}
          onChange={setAgent}
          renderOption={({ value }) => (
            <span className={css.option}>
              <Avatar agent={value} /> {value}
            </span>
          )}
        />
        <Combobox label="Any agent" options={options} value={agent} onChange={setAgent} />
        <Switch isOn={isOn} onChange={setIsOn}>
          Create another
        </Switch>
      </div>
    </Part>
  )
}

function Layers() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null)
  const close = (): void => setOpen(null)
  return (
    <Part name="Menu, Popover, Dialog, Toast">
      <Menu entries={MENU}>
        <Button>Menu</Button>
      </Menu>
      <ContextMenu entries={MENU}>
        <span className={css.area}>Right click here</span>
      </ContextMenu>
      <Popover trigger={<Button>Popover</Button>} label="Filter">
        <TextField label="Label" />
      </Popover>
      <Button onClick={() => setOpen('dialog')}>Dialog</Button>
      <Button onClick={() => setOpen('confirm')}>Question</Button>
      <Button
        onClick={() =>
          showToast({ kind: 'done', text: '2 cards archived', action: { label: 'Undo', onChoose: () => {} } })
        }
      >
        Toast
      </Button>
      <Button
        onClick={() =>
          showToast({ kind: 'failed', text: '1 of 3 cards was refused', note: 'It is running. Stop it first.' })
        }
      >
        Refusal
      </Button>
      <Dialog
        isOpen={open === 'dialog'}
        onClose={close}
        title="New card"
        footer={<Button onClick={close}>Create</Button>}
      >
        <TextArea label="Details" />
      </Dialog>
      <ConfirmDialog
        isOpen={open === 'confirm'}
        onClose={close}
        title="Delete the board?"
        footer={<Button isDanger>Delete</Button>}
      >
        All of its 41 cards are deleted too.
      </ConfirmDialog>
    </Part>
  )
}

function Marks() {
  const t = useMessages(statusMessages)
  return (
    <Part name="StatusIcon, Pill, Tag, Count, Avatar, times, Money">
      {STATUSES.map((status) => (
        <Pill key={status} hue={hueOf(status)} icon={<StatusIcon status={status} />}>
          {t(status)}
        </Pill>
      ))}
      <Pill hue="failed">Failed</Pill>
      <Tag>tenant-b</Tag>
      <Count value={41} />
      <Count value={200} isHot isCut />
      {AGENTS.map((agent) => (
        <Avatar key={agent} agent={agent} isLarge />
      ))}
      <RelativeTime at={NOW - 720_000} />
      <RelativeTime at={NOW - 720_000} as="relative" />
      <Clock since={NOW - 412_000} />
      <Money usd={4.118} />
    </Part>
  )
}

function Texts() {
  const [tab, setTab] = useState('overview')
  return (
    <Part name="Tabs, Markdown, CodeBlock, VirtualList">
      <div className={css.wide}>
        <Tabs
          label="Card"
          current={tab}
          onChange={setTab}
          tabs={[
            { key: 'overview', label: 'Overview' },
            { key: 'changes', label: 'Changes', count: 2 },
          ]}
        >
          <p>{tab}</p>
        </Tabs>
        <Markdown text={TEXT} />
        <CodeBlock>npm test -- inventory</CodeBlock>
        <VirtualList label="Rows" items={ROWS} keyOf={(row) => row} estimate={20} className={css.list}>
          {(row) => row}
        </VirtualList>
      </div>
    </Part>
  )
}

const Places = () => (
  <Part name="Skeleton, EmptyState, ErrorState, Drawer">
    <div className={css.wide}>
      <Skeleton width={60} />
      <Skeleton width={40} isSmall />
      <EmptyState icon={<Inbox />} title="Nothing needs you" action={<Button icon={<Bot />}>Show the agents</Button>}>
        Questions and reviews appear here.
      </EmptyState>
      <ErrorState error={notConnected()} onRetry={() => {}} />
      <div className={css.list}>
        <Drawer label="Card" header={<p className={css.part}>Header</p>} footer={<Button>Comment</Button>}>
          <p className={css.part}>Body</p>
        </Drawer>
      </div>
    </div>
  </Part>
)
