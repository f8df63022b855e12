// Applies readable patches to minified code. Patches are matched token by token and with any short names, so an upgrade of the library that
// only changes layout or renames variables needs no new patches.
//
//     @@ title of a patch
//     The reason for the patch.
//      context
//     -removed
//     +added
//     @@
//      context further down, of the same patch
//
// A name of up to three characters stands for any such name, but for the same one throughout its patch. Names in `names` stand for one
// function or class of the library. A short name that occurs only in added lines is a new name.
import jsTokens from 'js-tokens'

/** @typedef {{ readonly value: string; readonly start: number; readonly end: number; readonly name: boolean }} Token */
/** @typedef {{ readonly kind: ' ' | '-' | '+'; readonly tokens: readonly Token[] }} Run */
/** @typedef {{ readonly title: string; readonly hunks: readonly (readonly Run[])[] }} Patch */
/** @typedef {{ readonly start: number; readonly end: number; readonly text: string }} Edit */
/** @typedef {ReadonlyMap<string, string>} Bound */

const TRIVIA = new Set(['WhiteSpace', 'LineTerminatorSequence', 'MultiLineComment', 'SingleLineComment'])
const KEYWORDS = new Set(['as', 'do', 'for', 'get', 'if', 'in', 'let', 'new', 'of', 'set', 'try', 'var', 'Map', 'Set'])

/** @param {string} text @returns {Token[]} */
export function tokensOf(text) {
  /** @type {Token[]} */
  const found = []
  let start = 0
  for (const { type, value } of jsTokens(text)) {
    const end = start + value.length
    // A template may contain a line break, but a line of a patch cannot.
    if (!TRIVIA.has(type))
      found.push({ value: value.replaceAll('\n', '\\n'), start, end, name: type === 'IdentifierName' && !KEYWORDS.has(value) })
    start = end
  }
  return found.map((token, at) => ({ ...token, name: token.name && isFree(found, at) }))
}

/** Whether a name is a variable and not a property, which minifiers keep. @param {readonly Token[]} tokens @param {number} at */
function isFree(tokens, at) {
  const before = tokens[at - 1]?.value
  return before !== '.' && before !== '?.' && !(tokens[at + 1]?.value === ':' && (before === '{' || before === ','))
}

/** @param {string} text @returns {Patch[]} */
export function readPatches(text) {
  return text
    .split(/^@@ /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      const hunks = lines.join('\n').split(/^@@$/m)
      return { title, hunks: hunks.map(runsOf) }
    })
}

/** @param {string} hunk @returns {Run[]} */
function runsOf(hunk) {
  /** @type {{ kind: ' ' | '-' | '+'; text: string }[]} */
  const runs = []
  for (const line of hunk.split('\n')) {
    const kind = line[0]
    if (kind !== ' ' && kind !== '-' && kind !== '+') continue
    const last = runs.at(-1)
    if (last?.kind === kind) last.text += `\n${line.slice(1)}`
    else runs.push({ kind, text: line.slice(1) })
  }
  return runs.map(({ kind, text }) => ({ kind, tokens: tokensOf(text) }))
}

/**
 * @param {string} code
 * @param {readonly Patch[]} patches
 * @param {Readonly<Record<string, string>>} names name -> code of the library that contains the name
 * @throws {Error} for a patch that fits nowhere or in several places
 */
export function patched(code, patches, names) {
  const source = createSource(tokensOf(code))
  const known = new Map(Object.entries(names).map(([name, anchor]) => [name, source.nameIn(name, anchor)]))
  const edits = patches.flatMap((patch) => source.edits(patch, known))
  return applied(code, edits)
}

/**
 * Removes commands from the library's table, with the exports of their modules, which are then unused.
 * @param {string} code
 * @param {readonly string[]} names
 */
export function withoutCommands(code, names) {
  const tokens = tokensOf(code)
  const text = (/** @type {number} */ at, /** @type {number} */ count) =>
    tokens
      .slice(at, at + count)
      .map(({ value }) => value)
      .join('')
  /** @type {Edit[]} */
  const edits = []
  /** Modules that commands are loaded from, and whether any of their commands stays. @type {Map<string, boolean>} */
  const modules = new Map()
  const missing = new Set(names)
  for (const at of tokens.keys()) {
    // {name:"ls",load:async()=>(await Promise.resolve().then(()=>(init(),module))).lsCommand}
    if (tokens[at]?.value !== 'load' || text(at - 5, 3) !== '{name:' || text(at + 1, 5) !== ':async()=>') continue
    const name = JSON.parse(tokens[at - 2]?.value ?? '')
    const module = tokens[at + 24]?.value ?? ''
    const goes = missing.delete(name)
    modules.set(module, (modules.get(module) ?? false) || !goes)
    if (goes) edits.push({ start: tokens[at - 5]?.start ?? 0, end: tokens[at + (text(at + 31, 1) === ',' ? 31 : 30)]?.end ?? 0, text: '' })
  }
  if (missing.size > 0) throw new Error(`vendor: the library has no command ${[...missing].join(' ')}`)
  for (const at of tokens.keys()) {
    if (modules.get(tokens[at + 2]?.value ?? '') !== false || tokens[at + 1]?.value !== '(' || text(at + 3, 2) !== ',{') continue
    const end = tokens.findIndex(({ value }, index) => index > at && value === ';')
    edits.push({ start: tokens[at]?.start ?? 0, end: tokens[end]?.end ?? 0, text: '' })
  }
  return applied(code, edits)
}

/** @param {string} code @param {readonly Edit[]} edits */
function applied(code, edits) {
  let result = ''
  let at = 0
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < at) throw new Error(`vendor: two patches change "${code.slice(start, start + 60)}"`)
    result += code.slice(at, start) + text
    at = end
  }
  return result + code.slice(at)
}

/** @param {readonly Token[]} tokens those of the library */
function createSource(tokens) {
  /** @type {Map<string, number[]>} */
  const places = new Map()
  for (const [at, { value }] of tokens.entries()) {
    const list = places.get(value)
    if (list) list.push(at)
    else places.set(value, [at])
  }

  /** @param {Token} token @param {Bound} known */
  const isOpen = (token, known) => token.name && token.value.length <= 3 && !known.has(token.value)

  /** Binds names if the tokens match at this place. @param {readonly Token[]} wanted @param {number} from @param {Bound} known */
  function matchAt(wanted, from, known) {
    const bound = new Map(known)
    for (const [index, token] of wanted.entries()) {
      const found = tokens[from + index]
      if (!found) return undefined
      if (!token.name || (token.value.length > 3 && !bound.has(token.value))) {
        if (token.value !== found.value) return undefined
      } else if (bound.has(token.value)) {
        if (bound.get(token.value) !== found.value) return undefined
      } else if (!found.name || found.value.length > 3) return undefined
      else bound.set(token.value, found.value)
    }
    return bound
  }

  /** @param {readonly Token[]} wanted @param {number} after @param {Bound} known */
  function* matches(wanted, after, known) {
    let rarest = { index: 0, found: /** @type {readonly number[] | undefined} */ (undefined) }
    for (const [index, token] of wanted.entries()) {
      if (isOpen(token, known)) continue
      const found = places.get(token.name ? (known.get(token.value) ?? token.value) : token.value) ?? []
      if (rarest.found === undefined || found.length < rarest.found.length) rarest = { index, found }
    }
    for (const place of rarest.found ?? []) {
      const from = place - rarest.index
      const bound = from < after ? undefined : matchAt(wanted, from, known)
      if (bound) yield { from, bound }
    }
  }

  /** All ways to place the hunks, in order. @param {Patch['hunks']} hunks @param {number} after @param {Bound} known @returns {Generator<{ from: number[]; bound: Bound }>} */
  function* placements(hunks, after, known) {
    const [hunk, ...rest] = hunks
    if (!hunk) return yield { from: [], bound: known }
    const wanted = hunk.flatMap((run) => (run.kind === '+' ? [] : run.tokens))
    for (const { from, bound } of matches(wanted, after, known)) {
      for (const later of placements(rest, from + wanted.length, bound)) yield { from: [from, ...later.from], bound: later.bound }
    }
  }

  /** @param {readonly Run[]} hunk @param {number} from @param {Bound} bound @returns {Edit[]} */
  function editsOf(hunk, from, bound) {
    const edits = []
    let at = from
    for (const [index, { kind, tokens: run }] of hunk.entries()) {
      if (kind === '+' && hunk[index - 1]?.kind === '-') continue
      const added = kind === '+' ? run : kind === '-' && hunk[index + 1]?.kind === '+' ? hunk[index + 1]?.tokens : undefined
      const length = kind === '+' ? 0 : run.length
      if (kind !== ' ') {
        const start = tokens[at]?.start ?? 0
        edits.push({ start, end: length > 0 ? (tokens[at + length - 1]?.end ?? start) : start, text: textOf(added ?? [], bound) })
      }
      at += length
    }
    return edits
  }

  return {
    /** @param {Patch} patch @param {Bound} known @returns {Edit[]} */
    edits({ title, hunks }, known) {
      const ways = new Map()
      for (const { from, bound } of placements(hunks, 0, known)) {
        const edits = hunks.flatMap((hunk, index) => editsOf(hunk, from[index] ?? 0, bound))
        ways.set(JSON.stringify(edits), edits)
      }
      if (ways.size !== 1) throw new Error(`vendor: the patch "${title}" fits ${ways.size} times: look at it again`)
      return ways.values().next().value
    },
    /** @param {string} name @param {string} anchor @returns {string} */
    nameIn(name, anchor) {
      const short = `_${places.size}`.slice(0, 3)
      const wanted = tokensOf(anchor).map((token) => (token.value === name ? { ...token, value: short } : token))
      const found = new Set([...matches(wanted, 0, new Map())].map(({ bound }) => bound.get(short)))
      if (found.size !== 1) throw new Error(`vendor: ${name} is found ${found.size} times by its anchor: look at it again`)
      return [...found][0] ?? ''
    },
  }
}

/** @param {readonly Token[]} tokens @param {Bound} bound */
function textOf(tokens, bound) {
  const text = tokens.map(({ value, name }) => {
    if (!name) return value
    return bound.get(value) ?? (value.length > 3 ? value : `$own_${value}`)
  })
  return ` ${text.join(' ')} `
}
