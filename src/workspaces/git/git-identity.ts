/** The author of commits: the user's git identity, or Muster if the user has none. */
import type { Environment } from '../../config/environment.ts'
import type { Git } from './git.ts'
import type { GitPlace } from './git-place.ts'

const MUSTER = { name: 'Muster', email: 'muster@localhost' }

export async function identityOf(git: Git, place: GitPlace): Promise<Environment> {
  const [name, email] = await Promise.all(
    ['user.name', 'user.email'].map(async (key) => (await git.ask(place, 'config', key))?.trim() ?? ''),
  )
  const author = name === undefined || email === undefined || name === '' || email === '' ? MUSTER : { name, email }
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  }
}
