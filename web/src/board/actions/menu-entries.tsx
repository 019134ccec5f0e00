import {
  Archive,
  ArrowDown,
  ArrowDownToLine,
  ArrowUp,
  ArrowUpToLine,
  ChartNoAxesColumnIncreasing,
  Check,
  CircleDashed,
  Copy,
  CopyPlus,
  ExternalLink,
  Calendar,
  Hash,
  MoveRight,
  Network,
  Pause,
  PencilLine,
  Play,
  Square,
  Tag,
  Trash2,
  UserRound,
} from 'lucide-react'
import { isInTriage, isScheduled } from '../../../../src/core/status.ts'
import { agentState } from '../../cards/agent-state.ts'
import { effectMessages, obstructionMessages } from '../../cards/actions/move-messages.ts'
import type { PlanKind } from '../../cards/plans/plan-draft.ts'
import { askPlanner, planNow } from '../../cards/plans/planner.ts'
import { statusMessages } from '../../cards/status-messages.ts'
import type { BoardCard, RosterAgent } from '../../api/queries.ts'
import type { Language } from '../../i18n/language.ts'
import { formatMessage } from '../../i18n/messages.ts'
import { cardPath, planPath } from '../../routes/paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import type { MenuEntry } from '../../ui/menu.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { iconOf } from '../lanes.ts'
import type { LaneName } from '../lanes.ts'
import { planMove } from '../moving/lane-plan.ts'
import type { Moves } from '../moving/use-moves.ts'
import { selection, toggled } from '../selection/selection.ts'
import { PRIORITIES, canHold, canStartNow, nextSteps, shifted } from './card-entries.ts'
import type { NextStep, Shift } from './card-entries.ts'
import { columnOf, startOrder } from './known-cards.ts'
import { actionMessages } from './messages.ts'
import { dialogRequest, menuRequest } from './requests.ts'
import type { MenuKind, MenuRequest } from './requests.ts'
import type { CardSteps } from './use-card-steps.ts'

export interface EntryContext {
  readonly request: MenuRequest
  readonly cards: readonly BoardCard[]
  readonly moves: Moves
  readonly steps: CardSteps
  readonly navigate: (path: string) => void
  readonly agents: readonly RosterAgent[]
  readonly language: Language
  readonly now: number
  /** Why nothing can be changed now. Null means that changes are possible. */
  readonly offline: string | null
}

type Texts = (typeof actionMessages)['en']
type Choice = Extract<MenuEntry, { onChoose: () => void }>

const saying =
  ({ language }: EntryContext) =>
  (key: keyof Texts, values: Readonly<Record<string, string | number>> = {}): string =>
    formatMessage(language, actionMessages[language][key], values)

/** Disables the entry while the connection is lost. */
const writing = ({ offline }: EntryContext, entry: Choice): Choice =>
  offline === null ? entry : { ...entry, disabledReason: offline }

export const entriesFor = (context: EntryContext): readonly MenuEntry[] => ENTRIES[context.request.kind](context)

const ENTRIES: Readonly<Record<MenuKind, (context: EntryContext) => readonly MenuEntry[]>> = {
  card: cardEntries,
  move: moveEntries,
  assign: assignEntries,
  priority: priorityEntries,
}

const line = (key: string): MenuEntry => ({ key, line: true })

function cardEntries(context: EntryContext): readonly MenuEntry[] {
  const { cards, navigate, steps } = context
  const say = saying(context)
  const [card] = cards
  if (card === undefined || cards.length > 1) return bulkEntries(context)
  const isSelected = selection.get().ids.has(card.id)
  const path = cardPath(card.board, card.id)
  return [
    {
      key: 'open',
      label: say('open'),
      icon: <ExternalLink />,
      end: <Kbd keys="enter" />,
      onChoose: () => navigate(path),
    },
    {
      key: 'select',
      label: say(isSelected ? 'deselect' : 'select'),
      icon: <Check />,
      end: <Kbd keys="x" />,
      onChoose: () => selection.set(toggled(selection.get(), card.id)),
    },
    ...stepEntries(context, card),
    line('change'),
    ...bulkEntries(context),
    line('copy'),
    writing(context, {
      key: 'duplicate',
      label: say('duplicate'),
      icon: <CopyPlus />,
      onChoose: () => steps.duplicate(card),
    }),
    {
      key: 'link',
      label: say('copyLink'),
      icon: <Copy />,
      onChoose: () => steps.copy(`${location.origin}${path}`, 'copiedLink'),
    },
    { key: 'id', label: say('copyId'), icon: <Hash />, onChoose: () => steps.copy(card.id, 'copiedId') },
  ]
}

const STEP_ICONS: Readonly<Record<NextStep, Choice['icon']>> = {
  start: <Play />,
  retry: <Play />,
  answer: <Play />,
  approve: <Check />,
  sendBack: <MoveRight />,
  stop: <Square />,
}

function stepEntries(context: EntryContext, card: BoardCard): readonly MenuEntry[] {
  const { moves, steps } = context
  const say = saying(context)
  const found = nextSteps(card).map(({ step, plan }) =>
    writing(context, {
      key: step,
      label: say(step),
      icon: STEP_ICONS[step],
      onChoose: () => moves.moveTo([card], plan.lane),
    }),
  )
  const now = canStartNow(card)
    ? [
        writing(context, {
          key: 'now',
          label: say('start'),
          icon: <Play />,
          onChoose: () => steps.send([card], { name: 'promote', input: {} }, 'moved'),
        }),
      ]
    : []
  return [...now, ...found, ...planEntries(context, card)]
}

const PLANS = [
  ['specify', <PencilLine key="specify" />],
  ['decompose', <Network key="decompose" />],
] as const satisfies readonly (readonly [PlanKind, Choice['icon']])[]

/** The actions of the planner for a rough idea. A card is split at most once. */
function planEntries(context: EntryContext, card: BoardCard): readonly MenuEntry[] {
  if (!isInTriage(card.status)) return []
  const say = saying(context)
  return PLANS.filter(([kind]) => kind === 'specify' || card.decomposedAt === null).map(([kind, icon]) =>
    writing(context, {
      key: kind,
      label: say(kind),
      icon,
      onChoose: () => {
        if (planNow(card.id) === null) void askPlanner(card, kind)
        context.navigate(planPath(card.board, card.id))
      },
    }),
  )
}

/** The entries that work both for one card and for several cards. */
function bulkEntries(context: EntryContext): readonly MenuEntry[] {
  const { cards, steps, request } = context
  const say = saying(context)
  const show = (kind: MenuKind) => (): void => {
    // The next menu opens a moment later, because the closing menu still has the focus.
    setTimeout(() => menuRequest.set({ ...request, kind }), 0)
  }
  const entry = (key: keyof Texts, icon: Choice['icon'], onChoose: () => void, more: Partial<Choice> = {}): Choice =>
    writing(context, { key, label: say(key), icon, onChoose, ...more })
  const holdable = cards.filter(canHold)
  const held = cards.filter((card) => card.held)
  return [
    entry('moveTo', <MoveRight />, show('move'), { end: <Kbd keys="m" /> }),
    entry('assign', <UserRound />, show('assign')),
    entry('priority', <ChartNoAxesColumnIncreasing />, show('priority')),
    entry('labels', <Tag />, () => dialogRequest.set({ kind: 'labels', cards })),
    ...(held.length > 0
      ? [entry('release', <Play />, () => steps.send(held, { name: 'release', input: {} }, 'released'))]
      : []),
    ...(holdable.length > 0
      ? [
          entry('hold', <Pause />, () => steps.send(holdable, { name: 'hold', input: {} }, 'held')),
          ...(planMove(cards, 'waiting').moves.length > 0 || cards.every(({ status }) => isScheduled(status))
            ? [entry('schedule', <Calendar />, () => dialogRequest.set({ kind: 'schedule', cards }))]
            : []),
        ]
      : []),
    entry('archive', <Archive />, () => steps.send(cards, { name: 'archive', input: {} }, 'archived')),
    entry('delete', <Trash2 />, () => steps.remove(cards), { isDanger: true, end: <Kbd keys="d" /> }),
  ]
}

const MOVE_LANES: readonly LaneName[] = ['triage', 'waiting', 'ready', 'running', 'review', 'blocked', 'done']

function moveEntries(context: EntryContext): readonly MenuEntry[] {
  const { language, cards, moves } = context
  const say = saying(context)
  const lanes = MOVE_LANES.map((lane): MenuEntry => {
    const plan = planMove(cards, lane)
    const [move] = plan.moves
    const effect = move === undefined ? null : effectMessages[language][move.move.effect]
    const why = plan.denied[0]?.why
    const partly = move !== undefined && plan.denied.length > 0
    return writing(context, {
      key: lane,
      label: formatMessage(language, statusMessages[language][lane]),
      icon: <StatusIcon status={iconOf(lane)} />,
      isChecked: plan.isHome,
      ...(effect !== null && {
        end: partly ? say('partly', { k: plan.moves.length, n: cards.length }) : formatMessage(language, effect),
      }),
      ...(move === undefined &&
        why !== undefined && { disabledReason: formatMessage(language, obstructionMessages[language][why]) }),
      onChoose: () => moves.moveTo(cards, lane),
    })
  })
  const places = placeEntries(context)
  return places.length === 0 ? lanes : [...lanes, line('places'), ...places]
}

const PLACES = [
  ['first', <ArrowUpToLine key="first" />, null],
  ['up', <ArrowUp key="up" />, 'alt+arrowup'],
  ['down', <ArrowDown key="down" />, 'alt+arrowdown'],
  ['last', <ArrowDownToLine key="last" />, null],
] as const satisfies readonly (readonly [Shift, Choice['icon'], string | null])[]

function placeEntries(context: EntryContext): readonly MenuEntry[] {
  const { cards, steps } = context
  const say = saying(context)
  const [card] = cards
  if (card === undefined || cards.length > 1 || !startOrder.get()) return []
  const column = columnOf(card.id)
  return PLACES.filter(([by]) => shifted(card, column, by) !== null).map(([by, icon, keys]) =>
    writing(context, {
      key: by,
      label: say(by),
      icon,
      ...(keys !== null && { end: <Kbd keys={keys} /> }),
      onChoose: () => steps.shift(card, by),
    }),
  )
}

function assignEntries(context: EntryContext): readonly MenuEntry[] {
  const { agents, cards, steps, language, now } = context
  const assign = (assignee: string | null) => (): void =>
    steps.send(cards, { name: 'assign', input: { assignee } }, 'assigned')
  const isAll = (assignee: string | null): boolean => cards.every((card) => card.assignee === assignee)
  return [
    ...agents.map((agent) =>
      writing(context, {
        key: agent.name,
        label: agent.name,
        icon: <Avatar agent={agent.name} />,
        end: agentState(agent, { language, now }),
        isChecked: isAll(agent.name),
        onChoose: assign(agent.name),
      }),
    ),
    writing(context, {
      key: '',
      label: saying(context)('unassigned'),
      icon: <CircleDashed />,
      isChecked: isAll(null),
      onChoose: assign(null),
    }),
  ]
}

function priorityEntries(context: EntryContext): readonly MenuEntry[] {
  const { cards, steps } = context
  const say = saying(context)
  return PRIORITIES.map(({ priority, name }) =>
    writing(context, {
      key: name,
      label: say(name),
      end: String(priority),
      isChecked: cards.every((card) => card.priority === priority),
      onChoose: () => steps.send(cards, { name: 'edit', input: { priority } }, 'prioritized'),
    }),
  )
}
