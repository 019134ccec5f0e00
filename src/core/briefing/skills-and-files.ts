/** What is given along: skills, and files. */
import type { BriefingAttachment, BriefingInput, BriefingSkill } from './briefing-input.ts'
import { BRIEFING_ATTACHMENTS, PATH_MAX, SKILL_MAX } from './caps.ts'
import { fenced, inline, omitted } from './quoted.ts'

/** They were asked for by name, so that they bind; whatever else stands in a fence only informs. */
export function skills({ skills: known = [] }: BriefingInput): string {
  if (known.length === 0) return ''
  const words =
    'Whoever asked for this work wants it done with these skills. Read each of them before you begin, and do as it ' +
    'says; what stands below under its name is its text.'
  const texts = known.flatMap(({ name, text }) =>
    text === null ? [] : [`### Skill ${inline(name)}`, fenced(text, SKILL_MAX)],
  )
  return [`## Skills`, words, known.map(skillLine).join('\n'), ...texts].join('\n\n')
}

function skillLine({ name, folder, native, text }: BriefingSkill): string {
  if (folder === null) return `- ${inline(name)} (not installed here)`
  const where = inline(folder, PATH_MAX)
  const how = native === null ? '' : `: load ${inline(native)}, one of your own skills, or read its SKILL.md`
  return `- ${inline(name)}${text === null ? how : ': see below'}; it lies in ${where}, with the files that it names`
}

export function attachments({ attachments: files }: BriefingInput): string {
  if (files.length === 0) return ''
  const shown = files.slice(0, BRIEFING_ATTACHMENTS)
  return [
    '## Attachments',
    '',
    'Files that belong to this card:',
    '',
    ...shown.map((file) => `- ${inline(file.filename)}${kindAndSize(file)}${placeOf(file)}`),
    ...omitted(files.length - shown.length, 'attachment'),
  ].join('\n')
}

const placeOf = ({ path }: BriefingAttachment): string =>
  path === null ? ' (not on this machine)' : ` → ${inline(path, PATH_MAX)}`

const kindAndSize = ({ contentType, size }: BriefingAttachment): string =>
  (contentType === null ? '' : `, ${inline(contentType)}`) + (size === 0 ? '' : `, ${Math.ceil(size / 1024)} KB`)
