import type { JsAdapter, JsRunOptions, Workspace } from 'toolport'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { type BuildResult, type BundlerOptions, createBundler } from 'toolport/bundle'
import { network, project } from '../packages/install-support.js'

export const PAGE = '<!doctype html><title>App</title><div id="app"></div><script type="module" src="/src/main.ts"></script>'

/** A counter with types, runes, a child component, a module with runes and scoped styles. */
export const COUNTER: Readonly<Record<string, string>> = {
  'index.html': PAGE,
  'src/main.ts':
    "import { mount } from 'svelte'\nimport App from './App.svelte'\nmount(App, { target: document.querySelector('#app')! })\n",
  'src/App.svelte':
    '<script lang="ts">\n  import Label from "./Label.svelte"\n  import { total } from "./total.svelte.js"\n  let { start = 1 }: { start?: number } = $props()\n  const add = (by: number): void => { total.value += by + start }\n</script>\n\n<button onclick={() => add(1)}><Label count={total.value} /></button>\n\n<style>\n  button { color: rgb(200, 0, 0) }\n</style>\n',
  'src/Label.svelte':
    '<script>\n  const { count } = $props()\n</script>\n<span>Clicked {count}</span>\n<style>span { font-weight: 700 }</style>\n',
  'src/total.svelte.ts':
    'interface Total {\n  value: number\n}\n\nfunction create(): Total {\n  let value: number = $state(0)\n  return {\n    get value() {\n      return value\n    },\n    set value(next: number) {\n      value = next\n    },\n  }\n}\nexport const total: Total = create()\n',
}

/** A workspace with the recorded Svelte in `node_modules`. */
export async function svelteProject(files: Readonly<Record<string, string>>): Promise<Workspace> {
  const { workspace, install } = project(network(), files)
  await install(['svelte@5'])
  return workspace
}

/** QuickJS, and the files that each of its runs has compiled. */
export function countedSandbox(options: Parameters<typeof createQuickJs>[0] = {}): {
  readonly js: (workspace: Workspace) => JsAdapter
  readonly runs: (readonly string[])[]
} {
  const runs: (readonly string[])[] = []
  return {
    runs,
    js(workspace) {
      const adapter = createQuickJs(options)(workspace)
      return {
        ...adapter,
        can: adapter.can,
        run(given: JsRunOptions) {
          runs.push((JSON.parse(given.stdin ?? '') as { files: { path: string }[] }).files.map(({ path }) => path).sort())
          return adapter.run(given)
        },
      }
    },
  }
}

export const textOf = (result: BuildResult, path: string): string => {
  const output = result.outputs.find((one) => one.path === path)
  if (!output) throw new Error(`No output "${path}": ${result.outputs.map((one) => one.path).join(', ')} ${JSON.stringify(result.errors)}`)
  return new TextDecoder().decode(output.bytes)
}

export type SvelteOptions = Omit<BundlerOptions, 'workspace'>

export async function buildOnce(workspace: Workspace, options: SvelteOptions): Promise<BuildResult> {
  const bundler = createBundler({ workspace, ...options })
  try {
    return await bundler.build()
  } finally {
    await bundler.dispose()
  }
}
