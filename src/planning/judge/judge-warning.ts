import { readModels } from '../../config/models.ts'
import { inHome } from '../../config/home.ts'

/** Returns a warning if a model must judge the goal but config.yaml names no judge. */
export async function judgeWarning(
  home: string,
  goal: { readonly judge?: string | null } | null | undefined,
): Promise<string | null> {
  if (goal == null || goal.judge === 'checks') return null
  const { choices } = await readModels(home)
  return choices.judge === undefined
    ? `No model judges the goal yet: the card stops after its first turn. Set models.judge in ${inHome.config(home)}, or use --judge checks.`
    : null
}
