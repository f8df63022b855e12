import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = `${root}.cache/package`

/**
 * Packs the build as `npm publish` would, once per build, and installs it into a separate folder.
 *
 * @returns {{ app: string, tarball: string }} `app`: the folder whose node_modules/toolport holds the package
 */
export function packed() {
  const parts = ['dist/bundled', 'dist/vendor', 'package.json', 'README.md', 'adapters/quickjs/wasm.d.ts']
  const app = `${cache}/${Math.max(...parts.map((part) => statSync(root + part).mtimeMs))}`
  if (!existsSync(app)) {
    mkdirSync(cache, { recursive: true })
    const old = readdirSync(cache)
    const folder = mkdtempSync(`${cache}/new-`)
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root, stdio: 'ignore' })
    renameSync(`${folder}/${readdirSync(folder)[0]}`, `${folder}/toolport.tgz`)
    // Without a manifest here, `toolport` would resolve to the repository.
    writeFileSync(`${folder}/package.json`, '{ "private": true, "type": "module" }\n')
    mkdirSync(`${folder}/node_modules/toolport`, { recursive: true })
    execFileSync('tar', ['-xzf', 'toolport.tgz', '-C', 'node_modules/toolport', '--strip-components', '1'], { cwd: folder })
    for (const name of old) if (!name.startsWith('new-')) rmSync(`${cache}/${name}`, { recursive: true, force: true })
    try {
      renameSync(folder, app)
    } catch {
      // Another process has installed the package first.
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return { app, tarball: `${app}/toolport.tgz` }
}
