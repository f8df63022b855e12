// Checks that modules import only what docs/architecture.md allows, that there are no import cycles, and that src reads no clock and no
// random numbers.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { importsOf, nodesOf } from './syntax.mjs'

const BELOW_OPS = ['src/types', 'src/errors']
const BELOW_CORE = [...BELOW_OPS, 'src/ops']
const BELOW_WORKSPACE = [...BELOW_CORE, 'src/core', 'src/host']
const BELOW_TOOLS = [...BELOW_WORKSPACE, 'src/workspace', 'src/sessions', 'src/packages']

/**
 * Folder -> what it may import: folders of this repository, and packages. A folder may always import from itself. The longest matching
 * folder applies.
 */
const RULES = /** @type {Record<string, { from: string[]; packages: string[] | 'any' }>} */ ({
  'src/types': { from: [], packages: [] },
  'src/errors': { from: ['src/types'], packages: [] },
  'src/host': { from: ['src/types'], packages: [] },
  'src/local-servers': { from: BELOW_CORE, packages: [] },
  'src/ops': { from: BELOW_OPS, packages: ['brace-expansion', 'diff', 're2js'] },
  'src/core': { from: BELOW_CORE, packages: ['zod', '@cfworker/json-schema'] },
  'src/workspace': { from: BELOW_WORKSPACE, packages: [] },
  'src/sessions': { from: [...BELOW_WORKSPACE, 'src/workspace'], packages: [] },
  'src/packages': {
    from: [...BELOW_WORKSPACE, 'src/workspace'],
    packages: ['#cjs-module-lexer', 'es-module-lexer', 'semver'],
  },
  'src/tools': { from: BELOW_TOOLS, packages: [] },
  'src/runtime': { from: BELOW_TOOLS, packages: [] },
  'src/presets': { from: [...BELOW_TOOLS, 'src/tools', 'src/runtime'], packages: [] },
  'src/formats': { from: [...BELOW_TOOLS, 'src/tools', 'src/runtime'], packages: [] },
  'src/formats/langchain': { from: [...BELOW_TOOLS, 'src/runtime', 'src/formats'], packages: ['@langchain/core'] },
  'src/entries': {
    from: ['src', 'adapters', 'test/contract'],
    packages: ['node:', '@jridgewell/trace-mapping', '@modelcontextprotocol/sdk', '@opentelemetry/api', '#esbuild', 'mrmime'],
  },
  'src/index': { from: ['src'], packages: [] },
  // Adapters use ports, errors, pure operations and shared helpers, but never another adapter. `LIBRARIES` lists their packages.
  adapters: { from: ['adapters/shared', ...BELOW_CORE, 'src/workspace', 'src/packages', 'src/host'], packages: 'any' },
  'test/contract': { from: BELOW_CORE, packages: [] },
  demo: {
    from: ['src/index', 'src/presets', 'src/entries', 'adapters'],
    packages: [
      'toolport',
      'cloudflare:',
      'node:async_hooks',
      '@codemirror',
      '@lezer/highlight',
      '@jitl/quickjs-wasmfile-release-sync',
      'jq-wasm',
      '@webcontainer/api',
      'esbuild-wasm',
      '@xterm/xterm',
      '@xterm/addon-fit',
      // The playground marks the matches of `grep` with the engine that `grep` falls back on.
      're2js',
      'buffer',
      'memfs',
      'ai',
      '@ai-sdk/openai-compatible',
      '@ai-sdk/anthropic',
      '@ai-sdk/google',
    ],
  },
})

/** adapter -> packages it may import. */
const LIBRARIES = /** @type {Record<string, string[]>} */ ({
  node: ['node:', '@lydell/node-pty', 'es-module-lexer', 'sucrase'],
  'just-bash': ['#just-bash', '@noble/hashes', 'jq-wasm'],
  memfs: ['memfs'],
  'lightning-fs': ['@isomorphic-git/lightning-fs'],
  webcontainer: ['@webcontainer/api', 'sucrase'],
  cloudflare: ['#worker-guest'],
  shared: ['sucrase'],
  git: ['isomorphic-git'],
  quickjs: ['#quickjs-guest', 'quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync', 'sucrase'],
  zip: ['fflate'],
})

/** Demo code may import public entries only. */
const PUBLIC_ONLY = 'demo'

const files = ['src', 'adapters', 'test/contract', 'demo'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => posix.join(root, name.replaceAll('\\', '/'))),
)
/** @type {string[]} */
const problems = []
/** @type {Map<string, string[]>} */
const graph = new Map()
/** @param {string} path @param {string} folder */
const within = (path, folder) => path === folder || path.startsWith(`${folder}/`) || path === `${folder}.ts`
/** @param {string} specifier @param {string} name */
const isPackage = (specifier, name) => (name.endsWith(':') ? specifier.startsWith(name) : within(specifier, name))

for (const file of files) {
  const text = readFileSync(file, 'utf8')
  const key = Object.keys(RULES)
    .filter((folder) => within(file, folder))
    .sort((a, b) => b.length - a.length)[0]
  const rule = key === undefined ? undefined : RULES[key]
  const own = key === 'adapters' ? file.split('/').slice(0, 2).join('/') : (key ?? file)
  const targets = []
  for (const specifier of importsOf(nodesOf(file, text).nodes)) {
    if (specifier.startsWith('.')) {
      const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts')
      targets.push(target)
      const allowed = [own, ...(own === PUBLIC_ONLY ? [] : (rule?.from ?? []))]
      if (!allowed.some((folder) => within(target, folder))) problems.push(`${file}: may not import ${target}`)
    } else {
      const allowed = key === 'adapters' ? (LIBRARIES[own.slice('adapters/'.length)] ?? []) : rule?.packages
      if (allowed !== 'any' && !allowed?.some((name) => isPackage(specifier, name))) problems.push(`${file}: may not import ${specifier}`)
    }
  }
  graph.set(file, targets)
  if (file.startsWith('src/') && key !== 'src/entries' && key !== 'src/host') {
    const hit = /\b(Date\.now|new Date\(\)|Math\.random|performance\.now)\b/.exec(text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
    if (hit) problems.push(`${file}: reads ${hit[0]}; take it from the host`)
  }
}

/** @type {Map<string, 'open' | 'done'>} */
const seen = new Map()
/** @param {string} file @param {string[]} trail */
function visit(file, trail) {
  if (seen.get(file) === 'done') return
  if (seen.get(file) === 'open') {
    problems.push(`cycle: ${[...trail.slice(trail.indexOf(file)), file].join(' -> ')}`)
    return
  }
  seen.set(file, 'open')
  for (const target of graph.get(file) ?? []) visit(target, [...trail, file])
  seen.set(file, 'done')
}
for (const file of files) visit(file, [])

for (const problem of problems) console.error(problem)
console.log(`boundaries: ${files.length} files, ${problems.length} problems`)
process.exitCode = problems.length ? 1 : 0
