// Rules of our own for oxlint.

/**
 * The parts of a syntax node that the rules read.
 * @typedef {{ type: string, name?: string, value?: unknown, property?: Node, properties?: Node[], key?: Node,
 *   quasis?: { value: { cooked?: string } }[], callee?: Node, arguments?: Node[] }} Node
 */

/** Functions whose first argument is a program. */
const STARTS = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'runProgram', 'startPiped']

/** git in a string: as a program, at a path, or as the first word of a shell line. */
const GIT = /^(\S*\/)?git(\s|$)/

const gitRunner = {
  meta: { type: 'problem', docs: { description: 'Only the git runner starts git.' }, schema: [] },
  create: (/** @type {{ report(found: { node: Node, message: string }): void }} */ context) => ({
    CallExpression(/** @type {Node} */ { callee, arguments: [first] = [] }) {
      const name = callee?.property?.name ?? callee?.name ?? ''
      if (first !== undefined && STARTS.includes(name) && programsOf(first).some((program) => GIT.test(program)))
        context.report({
          node: first,
          message:
            'Only src/workspaces/git.ts may start git, because it keeps programs of agents from running. Use it.',
        })
    },
  }),
}

/**
 * The program names that a first argument may hold.
 * @returns {string[]}
 */
function programsOf(/** @type {Node} */ { type, value, quasis, properties = [] }) {
  if (type === 'Literal' && typeof value === 'string') return [value]
  if (type === 'TemplateLiteral') return [quasis?.[0]?.value.cooked ?? '']
  const given = properties.filter(({ key }) => key?.name === 'program').map((one) => /** @type {Node} */ (one.value))
  return given.flatMap(programsOf)
}

export default { meta: { name: 'muster' }, rules: { 'git-runner': gitRunner } }
