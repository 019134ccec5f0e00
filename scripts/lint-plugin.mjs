// Muster's own rules for oxlint.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { FOLDERS, POWERS, WEB_MAY_IMPORT, WEB_SCREENS } from './import-rules.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * The parts of a syntax node that the rules read.
 * @typedef {{ type: string, name?: string, value?: unknown, property?: Node, properties?: Node[], key?: Node,
 *   left?: Node, right?: Node, object?: Node, elements?: Node[], discriminant?: Node, cases?: { test?: Node }[], quasis?: { value: { cooked?: string } }[], callee?: Node, arguments?: Node[], source?: Node,
 *   importKind?: string, specifiers?: { imported?: Node, importKind?: string }[] }} Node
 * @typedef {{ filename: string, report(found: { node: Node, message: string }): void }} Context
 */

/** Functions whose first argument is a program. */
const STARTS = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'runProgram', 'startPiped']

/** Matches git as a program, with a path, or as the first word of a shell command. */
const GIT = /^(\S*\/)?git(\s|$)/

const gitRunner = {
  meta: { type: 'problem', docs: { description: 'Only the git runner starts git.' }, schema: [] },
  create: (/** @type {Context} */ context) => ({
    CallExpression(/** @type {Node} */ { callee, arguments: [first] = [] }) {
      const name = callee?.property?.name ?? callee?.name ?? ''
      if (first !== undefined && STARTS.includes(name) && programsOf(first).some((program) => GIT.test(program)))
        context.report({
          node: first,
          message:
            'Only the git runner may start git, because it keeps programs of agents from running. Use src/workspaces/git/git.ts.',
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

/** Calls `check` with each imported module and the imported names. */
const forEachImport = (
  /** @type {(found: { node: Node, module: string, names: string[] | null }) => void} */ check,
) => {
  const visit = (/** @type {Node} */ { source, specifiers }) => {
    if (typeof source?.value !== 'string') return
    const names = specifiers?.map(({ imported }) => imported?.name ?? 'default') ?? null
    check({ node: source, module: source.value, names })
  }
  return {
    ImportDeclaration: visit,
    ExportNamedDeclaration: visit,
    ExportAllDeclaration: visit,
    ImportExpression: visit,
  }
}

/** The path of a file relative to the repository root. */
const fromRoot = (/** @type {string} */ file) => path.relative(root, file).replaceAll('\\', '/')

const folderImports = {
  meta: {
    type: 'problem',
    docs: { description: 'Folders of src/ import only the folders that scripts/import-rules.mjs allows.' },
    schema: [],
  },
  create: (/** @type {Context} */ context) => {
    const folder = folderOf(context.filename)
    return forEachImport(({ node, module }) => {
      const target = module.startsWith('.') ? folderOf(path.resolve(path.dirname(context.filename), module)) : null
      if (folder === null || target === null || target === folder || FOLDERS[folder]?.may.includes(target)) return
      context.report({ node, message: `src/${folder} must not import src/${target}: see scripts/import-rules.mjs.` })
    })
  },
}

/** Returns null outside of src/. */
function folderOf(/** @type {string} */ file) {
  const [top, folder] = fromRoot(file).split('/')
  return top === 'src' ? (folder ?? null) : null
}

const webImports = {
  meta: {
    type: 'problem',
    docs: { description: 'The dashboard imports only what scripts/import-rules.mjs allows.' },
    schema: [],
  },
  create: (/** @type {Context} */ context) => {
    const [top, , screen = ''] = fromRoot(context.filename).split('/')
    const visit = (/** @type {Node} */ node) => {
      const { source, importKind, specifiers = [] } = node
      if (top !== 'web' || typeof source?.value !== 'string' || !source.value.startsWith('.')) return
      const target = fromRoot(path.resolve(path.dirname(context.filename), source.value))
      const onlyTypes =
        importKind === 'type' || (specifiers.length > 0 && specifiers.every((one) => one.importKind === 'type'))
      const message = webImportFault(target, screen, onlyTypes)
      if (message !== null) context.report({ node: source, message })
    }
    return {
      ImportDeclaration: visit,
      ExportNamedDeclaration: visit,
      ExportAllDeclaration: visit,
      ImportExpression: visit,
    }
  },
}

/** @returns {string | null} */
function webImportFault(/** @type {string} */ target, /** @type {string} */ screen, /** @type {boolean} */ onlyTypes) {
  const [top, folder = '', other = ''] = target.split('/')
  if (top === 'web') {
    if (!WEB_SCREENS.includes(screen) || !(WEB_SCREENS.includes(other) || other === 'app') || other === screen)
      return null
    return `web/src/${screen} must not import web/src/${other}: see WEB_SCREENS in scripts/import-rules.mjs.`
  }
  const allowed = top === 'src' ? WEB_MAY_IMPORT[folder] : undefined
  if (allowed === undefined) return `The dashboard must not import ${target}: see scripts/import-rules.mjs.`
  return allowed === 'types' && !onlyTypes ? `Import only types of src/${folder}: its code needs Node.` : null
}

const powers = {
  meta: { type: 'problem', docs: { description: 'Only a few files may import some modules.' }, schema: [] },
  create: (/** @type {Context} */ context) => {
    const file = fromRoot(context.filename)
    const foreign = POWERS.filter(({ owners }) => !owners.some((owner) => file.startsWith(owner)))
    return forEachImport(({ node, module: given, names }) => {
      const isOurs = given.startsWith('.')
      const module = isOurs ? fromRoot(path.resolve(path.dirname(context.filename), given)) : given
      for (const { from, names: reserved, message } of foreign) {
        // A dynamic import has no names: for our own modules, a person must review which names it uses.
        const taken = reserved === undefined || (names?.some((name) => reserved.includes(name)) ?? !isOurs)
        if (from.test(module) && taken) context.report({ node, message })
      }
    })
  },
}

/** Reads the source as text, because oxlint loads this file without a TypeScript loader. */
const vocabulary = readFileSync(path.join(root, 'src/core/vocabulary.ts'), 'utf8')
/** @type {readonly string[]} */
const STATUSES = /STATUSES = \[([^\]]*)\]/.exec(vocabulary)?.[1]?.match(/\w+/g) ?? []
if (STATUSES.length === 0) throw new Error('src/core/vocabulary.ts no longer lists STATUSES')

const statusLiterals = {
  meta: { type: 'problem', docs: { description: 'Only core names statuses.' }, schema: [] },
  create: (/** @type {Context} */ context) => {
    /**
     * Reports a status literal that is compared with or given to something named `status`, such as `task.status` or
     * `resumeStatus`.
     */
    const check = (/** @type {(Node | undefined)[]} */ named, /** @type {(Node | undefined)[]} */ values) => {
      const isStatus = named.some((node) => /status$/i.test(node?.property?.name ?? node?.name ?? ''))
      const literal = values.find((node) => typeof node?.value === 'string' && STATUSES.includes(node.value))
      if (isStatus && literal !== undefined)
        context.report({
          node: literal,
          message: `Ask src/core/status.ts, or use its names, instead of writing '${String(literal.value)}'.`,
        })
    }
    return {
      BinaryExpression: (/** @type {Node} */ { left, right }) => check([left, right], [left, right]),
      Property: (/** @type {Node} */ { key, value }) => check([key], [/** @type {Node} */ (value)]),
      SwitchStatement: (/** @type {Node} */ { discriminant, cases = [] }) =>
        check(
          [discriminant],
          cases.map(({ test }) => test),
        ),
      CallExpression: (/** @type {Node} */ { callee, arguments: given = [] }) => {
        if (callee?.property?.name === 'includes') check(given, callee.object?.elements ?? [])
      },
    }
  },
}

export default {
  meta: { name: 'muster' },
  rules: {
    'git-runner': gitRunner,
    'folder-imports': folderImports,
    powers,
    'status-literals': statusLiterals,
    'web-imports': webImports,
  },
}
