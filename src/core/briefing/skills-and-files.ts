/** The sections of the briefing about the skills and the attachments of a card. */
import type { BriefingAttachment, BriefingInput, BriefingSkill } from './briefing-input.ts'
import { BRIEFING_ATTACHMENTS, PATH_MAX, SKILL_MAX } from './caps.ts'
import { fenced, inline, omitted } from './quoted.ts'

/**
 * The texts of the card's skills. A person chose these skills by name, so the briefing orders the agent to follow them.
 * Other quoted text in the briefing is only information.
 */
export function skillTexts({ skills: known = [] }: BriefingInput): string {
  if (known.length === 0) return ''
  const words =
    'Do this work with these skills: read and follow each of them. The text of some is below, under their names.'
  const texts = known.flatMap(({ name, text }) =>
    text === null ? [] : [`### Skill ${inline(name)}`, fenced(text, SKILL_MAX)],
  )
  return [`## Skills`, words, known.map(skillLine).join('\n'), ...texts].join('\n\n')
}

function skillLine({ name, folder, native, text }: BriefingSkill): string {
  if (folder === null) return `- ${inline(name)} (not installed here)`
  const where = inline(folder, PATH_MAX)
  const how = native === null ? '' : `: load ${inline(native)}, one of your own skills, or read its SKILL.md`
  return `- ${inline(name)}${text === null ? how : ': see below'}; its folder is ${where}`
}

export function attachments({ attachments: files }: BriefingInput): string {
  if (files.length === 0) return ''
  const shown = files.slice(0, BRIEFING_ATTACHMENTS)
  return [
    '## Attachments',
    '',
    'Files that belong to this card:',
    '',
    ...shown.map((file) => `- ${inline(file.filename)}${kindAndSize(file)}${pathOf(file)}`),
    ...omitted(files.length - shown.length, 'attachment'),
  ].join('\n')
}

const pathOf = ({ path }: BriefingAttachment): string =>
  path === null ? ' (not on this machine)' : ` → ${inline(path, PATH_MAX)}`

const kindAndSize = ({ contentType, size }: BriefingAttachment): string =>
  (contentType === null ? '' : `, ${inline(contentType)}`) + (size === 0 ? '' : `, ${Math.ceil(size / 1024)} KB`)
