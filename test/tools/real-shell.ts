import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FsAdapter, PortOption, ShellAdapter, ToolRuntime } from 'toolport'
import { createNodeFs, createNodeShell } from 'toolport/adapters/node'
import { afterEach } from 'vitest'

interface RealPorts {
  readonly fs: FsAdapter
  readonly shell: PortOption<ShellAdapter>
}

/**
 * Creates benches with a real shell, each in a new directory that tools call by its real path. The directories are removed after each test
 * of the file.
 */
export function realShellBenches<Options, Bench extends { readonly runtime: ToolRuntime }>(
  make: (ports: RealPorts, options: Options | undefined) => Bench,
): (files?: Readonly<Record<string, string>>, options?: Options) => Promise<Bench> {
  const opened: { readonly root: string; readonly bench: Bench }[] = []
  afterEach(async () => {
    for (const { root, bench } of opened.splice(0)) {
      await bench.runtime.dispose()
      await rm(root, { recursive: true, force: true })
    }
  })
  return async (files = {}, options) => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-shell-')))
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true })
      await writeFile(join(root, name), content)
    }
    const bench = make({ fs: createNodeFs({ root }), shell: createNodeShell() }, options)
    opened.push({ root, bench })
    return bench
  }
}
