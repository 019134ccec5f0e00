/** Highlights code line by line. The rules cover families of languages and do not follow their full grammars. */
export type TokenKind = 'keyword' | 'string' | 'comment' | 'number' | 'name'

export interface Token {
  readonly kind: TokenKind | null
  readonly text: string
}

interface Family {
  readonly keywords: ReadonlySet<string>
  /** The marks that start a comment until the end of the line. */
  readonly line: readonly string[]
  readonly block: readonly [string, string] | null
  readonly quotes: string
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const C_WORDS = `abstract any as async await bool boolean break byte case catch char class const constructor continue
  declare default defer delete do double else enum export extends extern false final finally float fn for from func
  function get go goto if impl implements import in infer instanceof int interface is keyof let long loop match mod
  module mut namespace never new nil null number object of operator override package private protected pub public
  range readonly ref return satisfies select self set short signed sizeof static string struct super switch symbol
  template this throw throws trait true try type typedef typeof undefined union unknown unsafe unsigned use using val
  var virtual void volatile when where while with yield`
const HASH_WORDS = `and as assert async await begin break case class continue def del do done elif else elsif end
  ensure esac except export False false fi finally for from function global if import in is lambda local module next
  nil None nonlocal not null or pass raise redo require rescue retry return self set super then True true try undef
  unless until when while with yield`
const SQL_WORDS = `add all alter and as asc begin between by case check column commit constraint create cross default
  delete desc distinct drop else end exists foreign from full group having in index inner insert into is join key left
  like limit not null offset on or order outer primary references returning right rollback select set table then
  unique update using values view when where with`

const C: Family = { keywords: words(C_WORDS), line: ['//'], block: ['/*', '*/'], quotes: '"\'`' }
const HASH: Family = { keywords: words(HASH_WORDS), line: ['#'], block: null, quotes: '"\'' }
const SQL: Family = { keywords: words(SQL_WORDS), line: ['--'], block: ['/*', '*/'], quotes: "'" }
const CSS: Family = {
  keywords: words('important media supports container import layer'),
  line: [],
  block: ['/*', '*/'],
  quotes: '"\'',
}
const MARKUP: Family = { keywords: new Set(), line: [], block: ['<!--', '-->'], quotes: '"\'' }
const DATA: Family = { keywords: words('true false null'), line: [], block: null, quotes: '"' }

const FAMILIES: readonly (readonly [Family, string])[] = [
  [C, 'ts tsx mts cts js jsx mjs cjs java c h cc cpp hpp cs go rs swift kt kts scala dart php proto zig groovy'],
  [HASH, 'py rb sh bash zsh fish yml yaml toml ini conf cfg env mk make dockerfile pl r ex exs tf nix'],
  [SQL, 'sql'],
  [CSS, 'css scss less'],
  [MARKUP, 'html htm xml svg vue svelte'],
  [DATA, 'json jsonc json5 ndjson'],
]

export function familyOf(path: string): Family | null {
  const name = path.split('/').at(-1)?.toLowerCase() ?? ''
  const ending = name.includes('.') ? (name.split('.').at(-1) ?? '') : name.replace(/^(?:make|rake|gem)file$/, 'mk')
  return FAMILIES.find(([, endings]) => endings.split(' ').includes(ending))?.[0] ?? null
}

/** Longer lines get no colours. */
const LENGTH_MAX = 1_000

export interface Tokenized {
  readonly tokens: readonly Token[]
  /** Whether the next line starts inside a comment. */
  readonly inComment: boolean
}

export function tokenize(line: string, family: Family, inComment = false): Tokenized {
  if (line.length > LENGTH_MAX) return { tokens: [{ kind: null, text: line }], inComment }
  const tokens: Token[] = []
  let rest = line
  let isInside = inComment
  while (rest !== '') {
    const token: Token = isInside ? commentRest(rest, family) : nextToken(rest, family)
    tokens.push(token)
    rest = rest.slice(token.text.length)
    isInside = token.kind === 'comment' && isOpen(token.text, family, isInside)
  }
  return { tokens: merged(tokens), inComment: isInside }
}

function commentRest(rest: string, { block }: Family): Token {
  const end = block === null ? -1 : rest.indexOf(block[1])
  return { kind: 'comment', text: end === -1 || block === null ? rest : rest.slice(0, end + block[1].length) }
}

function isOpen(text: string, { block }: Family, wasInside: boolean): boolean {
  if (block === null || !(wasInside || text.startsWith(block[0]))) return false
  return !text.slice(wasInside ? 0 : block[0].length).endsWith(block[1])
}

function nextToken(rest: string, family: Family): Token {
  const { line, block, quotes, keywords } = family
  if (line.some((start) => rest.startsWith(start))) return { kind: 'comment', text: rest }
  if (block !== null && rest.startsWith(block[0])) {
    const end = rest.indexOf(block[1], block[0].length)
    return { kind: 'comment', text: end === -1 ? rest : rest.slice(0, end + block[1].length) }
  }
  const first = rest.charAt(0)
  if (quotes.includes(first)) return { kind: 'string', text: quoted(rest, first) }
  const [number] = /^\d[\w.]*/.exec(rest) ?? []
  if (number !== undefined) return { kind: 'number', text: number }
  const [word] = /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(rest) ?? []
  if (word === undefined) return { kind: null, text: /^\s+/.exec(rest)?.[0] ?? first }
  const isKeyword = keywords.has(word) || (family === SQL && keywords.has(word.toLowerCase()))
  return { kind: isKeyword ? 'keyword' : rest.charAt(word.length) === '(' ? 'name' : null, text: word }
}

function quoted(rest: string, quote: string): string {
  for (let at = 1; at < rest.length; at += 1) {
    if (rest[at] === '\\') at += 1
    else if (rest[at] === quote) return rest.slice(0, at + 1)
  }
  return rest
}

/** Joins neighbouring tokens of one kind, so that a line has few elements. */
function merged(tokens: readonly Token[]): readonly Token[] {
  const result: Token[] = []
  for (const token of tokens) {
    const last = result.at(-1)
    if (last?.kind === token.kind && token.kind !== 'string')
      result[result.length - 1] = { kind: last.kind, text: last.text + token.text }
    else result.push(token)
  }
  return result
}
