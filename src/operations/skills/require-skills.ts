/**
 * Refuses unknown skills when a person adds them to a card. Otherwise the card would wait for the skill, and the person
 * might not notice.
 */
import { BoardError } from '../../core/errors.ts'
import type { Workspace } from '../../core/task.ts'
import { nearestOf } from '../../util/nearest.ts'
import type { BoardContext } from '../shared/operation.ts'

/** Throws an error if a skill is unknown. Only this machine is searched, although another machine may run the card. */
export async function requireSkills(
  { store, board, options: { home } }: Pick<BoardContext, 'store' | 'board' | 'options'>,
  names: readonly string[] | null | undefined,
  place: Pick<Workspace, 'kind' | 'path' | 'repo'>,
): Promise<void> {
  // Most cards name no skill, so no search is needed for them.
  if (names == null || names.length === 0) return
  const { SkillFinder } = await import('../../agents/skills/skill-finder.ts')
  const { suggestNames, missingSkills, missingText, skillPlace } = await import('../../agents/skills/missing-skills.ts')
  const { cardFolder } = await import('../../agents/skills/skill-folders.ts')
  const byDefault = place.kind === 'scratch' ? null : ((await store.board(board))?.settings.defaultDirectory ?? null)
  const folders = [cardFolder(place) ?? byDefault]
  const finder = new SkillFinder(home)
  const missing = await missingSkills(finder, names, folders)
  if (missing === null) return
  const { unknown, broken } = missing
  const known = await finder.usable(folders)
  const toInstall = `To add a skill, write ${skillPlace(home, '<name>')}.`
  // `skills list` shows the skills of the current repository, but this card does not work in a repository.
  const isOutsideRepository = folders[0] === null && !unknown.some((name) => nearestOf(name, known).length > 0)
  const repositoryHint = isOutsideRepository
    ? ['Skills of a repository are only for cards that work in it (--workspace dir:/path).']
    : []
  const hints = unknown.length === 0 ? [] : [suggestNames(unknown, known), toInstall, ...repositoryHint]
  throw new BoardError('skill_not_found', [missingText(missing), ...hints].join(' '), {
    details: { field: 'skills', unknown, broken: broken.map(({ name }) => name), known },
  })
}
