/** A control that chooses an agent. Each option shows whether the agent can take a card now. */
import { useQuery } from '@tanstack/react-query'
import { CircleDashed } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { rosterQuery } from '../api/queries.ts'
import { useNow } from '../app-state/use-now.ts'
import { useLanguage } from '../i18n/use-messages.tsx'
import { Avatar } from '../ui/avatar.tsx'
import type { Option } from '../ui/listbox-keys.ts'
import { Listbox } from '../ui/listbox.tsx'
import { Popover } from '../ui/popover.tsx'
import { Select } from '../ui/select.tsx'
import type { SelectProps } from '../ui/select.tsx'
import css from './agent-select.module.css'
import { agentState } from './agent-state.ts'

interface Props extends Pick<SelectProps, 'label' | 'id' | 'aria-describedby' | 'aria-invalid' | 'placeholder'> {
  /** The name of the chosen agent. An empty text means no agent. */
  readonly value: string
  readonly onChange: (agent: string) => void
  /** The label of the option for no agent. Without it, an agent must be chosen. */
  readonly none?: Pick<Option, 'label' | 'note'>
}

export function AgentSelect({ value, onChange, none, ...rest }: Props) {
  const agents = useAgentOptions()
  const options: readonly Option[] = [
    ...agents,
    ...withoutAgent(value, agents),
    ...(none === undefined ? [] : [{ value: '', ...none }]),
  ]
  return <Select {...rest} options={options} value={value} onChange={onChange} renderOption={agentOption} />
}

interface MenuProps {
  readonly label: string
  /** The current assignee of the card. Null means unassigned. */
  readonly value: string | null
  readonly onChoose: (agent: string) => void
  /** The button that opens the list. */
  readonly children: ReactNode
}

/** A button that opens the list of agents. */
export function AgentMenu({ label, value, onChoose, children }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  const options = useAgentOptions()
  return (
    <Popover trigger={children} label={label} isOpen={isOpen} onOpenChange={setIsOpen} className={css.menu}>
      <Listbox
        label={label}
        options={options}
        value={value}
        isSearchable={options.length >= SEARCHED_FROM}
        renderOption={agentOption}
        onChoose={(agent) => {
          setIsOpen(false)
          onChoose(agent)
        }}
      />
    </Popover>
  )
}

/** Lists with at least this many agents have a search field. */
const SEARCHED_FROM = 8

function useAgentOptions(): readonly Option[] {
  const language = useLanguage()
  const now = useNow()
  const { data } = useQuery(rosterQuery)
  return (data?.agents ?? []).map((agent) => ({
    value: agent.name,
    label: agent.name,
    words: agent.description ?? '',
    note: agentState(agent, { language, now }),
  }))
}

const agentOption = (option: Option): ReactNode => (
  <span className={css.option}>
    {option.value === '' ? (
      <span className={css.none}>
        <CircleDashed />
      </span>
    ) : (
      <Avatar agent={option.value} />
    )}
    {option.label}
  </span>
)

/**
 * Adds the chosen agent to the options if the list of agents does not contain it: the list is still loading, or the
 * agent does not exist.
 */
const withoutAgent = (value: string, agents: readonly Option[]): readonly Option[] =>
  value === '' || agents.some((agent) => agent.value === value) ? [] : [{ value, label: value }]
