// Prints `declare -p`. Built into the library (patches/language.patch).

interface State {
  readonly env: ReadonlyMap<string, string>
  readonly arrays?: ReadonlyMap<string, unknown>
  readonly associativeArrays?: ReadonlySet<string>
  /** Variables with attributes and no value. */
  readonly declaredVars?: ReadonlySet<string>
  readonly localVarDepth?: ReadonlyMap<string, unknown>
}

/** Functions of the library that are used here. */
interface Library {
  attributesOf(name: string): string
  elementsOf(name: string): readonly (readonly [string | number, string])[]
  valueOf(name: string): Promise<string>
  quoted(text: string): string
}

/** Variables that the library computes when they are read, with their attributes. */
const COMPUTED = new Map([
  ...['RANDOM', 'SECONDS', 'BASHPID', 'SRANDOM'].map((name) => [name, 'i'] as const),
  ...['UID', 'EUID', 'PPID'].map((name) => [name, 'ir'] as const),
  ...['LINENO', 'EPOCHSECONDS', 'EPOCHREALTIME', 'BASH_SUBSHELL', 'BASH_VERSION', 'BASH_COMMAND', '_'].map((name) => [name, ''] as const),
])

/** Returns what `declare -p` prints for the names. Without names, for all variables that have all of the given attributes. */
export async function printDeclarations(
  state: State,
  names: readonly string[],
  attributes: string,
  library: Library,
): Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: number }> {
  let stdout = ''
  let stderr = ''
  for (const name of names.length > 0 ? names : allNames(state, attributes, library)) {
    const line = await declarationOf(state, name, library)
    if (line === undefined) stderr += `bash: declare: ${name}: not found\n`
    else stdout += `${line}\n`
  }
  return { stdout, stderr, exitCode: stderr ? 1 : 0 }
}

function allNames(state: State, attributes: string, library: Library): readonly string[] {
  const { env, arrays, associativeArrays, declaredVars, localVarDepth } = state
  const sets = [env, arrays, associativeArrays, declaredVars, localVarDepth].flatMap((set) => [...(set?.keys() ?? [])])
  const names = [...new Set(sets)].filter((name) => /^[a-zA-Z_]\w*$/.test(name)).sort()
  return names.filter((name) => [...attributes].every((letter) => library.attributesOf(name).includes(letter)))
}

/** Returns undefined if there is no such variable. */
async function declarationOf(state: State, name: string, library: Library): Promise<string | undefined> {
  const attributes = COMPUTED.get(name) ?? library.attributesOf(name)
  const head = `declare -${attributes || '-'} ${name}`
  const isKeyed = state.associativeArrays?.has(name)
  if (isKeyed || state.arrays?.has(name)) {
    const elements = library
      .elementsOf(name)
      .map(([key, value]) => `[${isKeyed ? keyText(`${key}`, library) : key}]=${library.quoted(value)}`)
    if (elements.length === 0 && state.declaredVars?.has(name)) return head
    return `${head}=(${elements.join(' ')}${isKeyed && elements.length > 0 ? ' ' : ''})`
  }
  const value = state.env.get(name) ?? (COMPUTED.has(name) ? await library.valueOf(name) : undefined)
  if (value !== undefined) return `${head}=${library.quoted(value)}`
  return state.declaredVars?.has(name) || state.localVarDepth?.has(name) ? head : undefined
}

const keyText = (key: string, library: Library): string => (/^[\w@%+=:,./-]+$/.test(key) ? key : library.quoted(key))
