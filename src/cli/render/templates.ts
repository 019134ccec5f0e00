/** The output of `templates` and `apply`. */
import type { AppliedTemplate, TemplateDetails, TemplateView } from '../../operations/templates/views.ts'
import { oneLine } from '../output/escape.ts'
import type { Cell } from './tsv.ts'
import { fit, widthOf } from './width.ts'

const stateOf = ({ problems, isApproved, from }: TemplateView): string =>
  problems.length > 0 ? 'has faults' : !isApproved ? 'not approved' : from === 'home' ? 'yours' : 'approved'

export const templateRow = (template: TemplateView): readonly Cell[] => [
  template.name,
  stateOf(template),
  template.cards,
  template.file,
  template.description,
]

export function templateTable(all: readonly TemplateView[]): string {
  const names = Math.max(...all.map(({ name }) => widthOf(oneLine(name))))
  return all
    .map((template) => {
      const { name, description, problems } = template
      const line = `${fit(oneLine(name), names)}  ${stateOf(template).padEnd(12)}  ${oneLine(description ?? '')}`
      return [line.trimEnd(), ...problems.map((problem) => `  ! ${oneLine(problem)}`)].join('\n')
    })
    .join('\n')
}

export function templatePage(template: TemplateDetails): string {
  const { name, description, file, variables, problems, text } = template
  return [
    `${oneLine(name)}  (${stateOf(template)})  ${oneLine(file)}`,
    ...(description === null ? [] : [`  ${oneLine(description)}`]),
    ...variables.map((variable) => `  ${variableLine(variable)}`),
    ...problems.map((problem) => `  ! ${oneLine(problem)}`),
    '',
    ...text.trimEnd().split('\n').map(oneLine),
  ].join('\n')
}

function variableLine({ name, description, isRequired, byDefault }: TemplateView['variables'][number]): string {
  const value =
    byDefault === null ? '' : ` (default: ${typeof byDefault === 'string' ? byDefault : byDefault.join(', ')})`
  return oneLine(
    `--set ${name}=…  ${isRequired ? 'required' : 'optional'}${value}${description === null ? '' : `: ${description}`}`,
  )
}

/** The cards of a template as a list. Each card names the cards that it waits for. */
export const graphText = ({ cards }: AppliedTemplate): string =>
  cards
    .map(({ name, id, title, assignee, parents }) => {
      const agent = assignee === null ? '' : `  @${assignee}`
      const after = parents.length === 0 ? '' : `  after ${parents.join(', ')}`
      return oneLine(`${id ?? name}  ${title}${agent}${after}`)
    })
    .join('\n')
