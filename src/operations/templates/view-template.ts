import { BoardError } from '../../core/errors.ts'
import { findTemplates } from '../../templates/find-templates.ts'
import type { FoundTemplate } from '../../templates/find-templates.ts'
import { nearest } from '../../util/nearest.ts'
import type { TemplateView } from './views.ts'

export const viewTemplate = ({ name, from, file, isApproved, template, problems }: FoundTemplate): TemplateView => ({
  name,
  description: template?.description ?? null,
  from,
  file,
  isApproved,
  variables: template?.variables ?? [],
  cards: template?.cards.length ?? 0,
  problems,
})

/** Finds a template by its name, with or without the file extension. */
export async function requireTemplate(home: string, folder: string | null, typed: string): Promise<FoundTemplate> {
  const { templates, faults } = await findTemplates(home, folder)
  const name = typed.trim().replace(/\.ya?ml$/, '')
  const found = templates.find((one) => one.name === name)
  if (found !== undefined) return found
  const meant = nearest(
    name,
    templates.map((one) => one.name),
  )
  const hint = meant === null ? 'To list templates: muster templates' : `Did you mean ${meant}?`
  throw new BoardError('template_not_found', [`There is no template ${name}.`, ...faults, hint].join(' '), {
    details: { template: name },
  })
}
