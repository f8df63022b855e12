import { LanguageDescription, LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language'

type Load = () => Promise<LanguageSupport>

const script = (options: { readonly jsx?: boolean; readonly typescript?: boolean }): Load => {
  return async () => (await import('@codemirror/lang-javascript')).javascript(options)
}
const stream = (load: () => Promise<StreamParser<unknown>>): Load => {
  return async () => new LanguageSupport(StreamLanguage.define(await load()))
}
const json: Load = async () => (await import('@codemirror/lang-json')).json()
const html: Load = async () => (await import('@codemirror/lang-html')).html()
const yaml: Load = async () => (await import('@codemirror/lang-yaml')).yaml()
const markdown: Load = async () => (await import('@codemirror/lang-markdown')).markdown({ codeLanguages: inFence })
const shell = stream(async () => (await import('@codemirror/legacy-modes/mode/shell')).shell)
const toml = stream(async () => (await import('@codemirror/legacy-modes/mode/toml')).toml)
const xml = stream(async () => (await import('@codemirror/legacy-modes/mode/xml')).xml)
const c = stream(async () => (await import('@codemirror/legacy-modes/mode/clike')).c)
const cpp = stream(async () => (await import('@codemirror/legacy-modes/mode/clike')).cpp)
const sql = stream(async () => (await import('@codemirror/legacy-modes/mode/sql')).standardSQL)
const docker = stream(async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile)
const ini = stream(async () => (await import('@codemirror/legacy-modes/mode/properties')).properties)
const diff = stream(async () => (await import('@codemirror/legacy-modes/mode/diff')).diff)

/** Extension, or whole name for files without one -> language. Each language loads with its first file. */
const LANGUAGES: ReadonlyMap<string, Load> = new Map<string, Load>([
  ...['js', 'mjs', 'cjs', 'javascript'].map((name) => [name, script({})] as const),
  ...['ts', 'mts', 'cts', 'typescript'].map((name) => [name, script({ typescript: true })] as const),
  ['jsx', script({ jsx: true })],
  ['tsx', script({ jsx: true, typescript: true })],
  ...['json', 'jsonl', 'json5', 'map', 'webmanifest'].map((name) => [name, json] as const),
  ['css', async () => (await import('@codemirror/lang-css')).css()],
  ...['html', 'htm', 'vue', 'svelte'].map((name) => [name, html] as const),
  ...['xml', 'svg'].map((name) => [name, xml] as const),
  ...['md', 'markdown', 'mdx'].map((name) => [name, markdown] as const),
  ...['py', 'pyi', 'python'].map((name) => [name, async () => (await import('@codemirror/lang-python')).python()] as const),
  ...['rs', 'rust'].map((name) => [name, async () => (await import('@codemirror/lang-rust')).rust()] as const),
  ...['yaml', 'yml'].map((name) => [name, yaml] as const),
  ...['sh', 'bash', 'zsh', 'shell'].map((name) => [name, shell] as const),
  ...['toml', 'lock'].map((name) => [name, toml] as const),
  ...['ini', 'cfg', 'properties', 'env', 'editorconfig', 'gitconfig', 'npmrc'].map((name) => [name, ini] as const),
  ['go', stream(async () => (await import('@codemirror/legacy-modes/mode/go')).go)],
  ['rb', stream(async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby)],
  ...['c', 'h'].map((name) => [name, c] as const),
  ...['cc', 'cpp', 'hpp'].map((name) => [name, cpp] as const),
  ['java', stream(async () => (await import('@codemirror/legacy-modes/mode/clike')).java)],
  ['sql', sql],
  ['dockerfile', docker],
  ...['diff', 'patch'].map((name) => [name, diff] as const),
])

const loaded = new Map<Load, Promise<LanguageSupport>>()

/** The language of a file, by name. Undefined: plain text. Rejects if the language cannot be loaded. */
export async function languageOf(path: string): Promise<LanguageSupport | undefined> {
  const load = loaderOf(path)
  if (!load) return undefined
  const known = loaded.get(load)
  if (known) return known
  const language = load()
  loaded.set(load, language)
  // If loading fails, the next file retries.
  language.catch(() => loaded.delete(load))
  return language
}

function loaderOf(path: string): Load | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return LANGUAGES.get(name.slice(name.lastIndexOf('.') + 1))
}

const inFences = new Map<string, LanguageDescription>()

/** The language of a fenced Markdown block. */
function inFence(info: string): LanguageDescription | null {
  const name = /^[\w-]+/.exec(info)?.[0].toLowerCase() ?? ''
  const load = LANGUAGES.get(name)
  if (!load) return null
  // Reuse the description, because it tracks whether its language is loaded.
  const known = inFences.get(name) ?? LanguageDescription.of({ name, load })
  inFences.set(name, known)
  return known
}
