// @module-tag virtual-shell
import { createWorkspace } from 'toolport'
import { gitCommand } from 'toolport/adapters/git'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type Fault, type Faults, forEachFault, withFaults } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import '../shims/buffer-if-missing.js'
import { author } from './git-support.js'
import { treeOf, WRITE_FAULTS } from './just-bash-faults-support.js'

const PREPARED =
  'git init -q -b main; mkdir d; echo one > a; echo two > d/b; git add .; git commit -qm first; git switch -qc other; ' +
  'echo three > c; echo more >> a; git add .; git commit -qm second; git switch -q main; echo mine > d/b; echo new > n'

const SCRIPTS = [
  'git add .',
  'git commit -qam work',
  'git commit -q --amend -m again',
  'git checkout -q other',
  'git checkout -q -b fresh',
  'git checkout -q other -- a c',
  'git restore d/b',
  'git reset -q --hard other',
  'git mv a moved',
  'git rm -q a',
  'git branch -f other main',
  'git branch -m renamed',
]

type Tree = Readonly<Record<string, string>>

async function open(files: Readonly<Record<string, Uint8Array>>, faults: Faults | readonly Fault[] = []) {
  const fs = createMemoryFs({ files })
  const workspace = createWorkspace({ fs: withFaults(fs, faults) })
  const shell = createJustBashShell({ scratch: createMemoryFs(), commands: [gitCommand({ author })] })(workspace)
  return { shell, tree: () => treeOf(fs) }
}

const files: Readonly<Record<string, Uint8Array>> = await (async () => {
  const fs = createMemoryFs()
  const shell = createJustBashShell({ scratch: createMemoryFs(), commands: [gitCommand({ author })] })(createWorkspace({ fs }))
  await shell.exec(PREPARED)
  const tree = Object.entries(await treeOf(fs)).filter(([, content]) => content !== 'dir')
  return Object.fromEntries(tree.map(([path, content]) => [path.slice(1), Uint8Array.from(content, (char) => char.charCodeAt(0))]))
})()

const own = (tree: Tree): Tree => Object.fromEntries(Object.entries(tree).filter(([path]) => !/^\/\.git(?:\/|$)/.test(path)))
const isSame = (a: Tree, b: Tree): boolean => Object.keys({ ...a, ...b }).every((path) => a[path] === b[path])
const LOOK = 'git status --short; git log --format="%s %T" --all 2> /dev/null || git log --format="%s %T"; git branch'

describe('git on a storage that fails or is full from the nth write', () => {
  for (const script of SCRIPTS) {
    it(script, async () => {
      const whole = await open(files)
      const before = own(await whole.tree())
      const done = await whole.shell.exec(script)
      expect(done).toMatchObject({ exitCode: 0, stderr: '' })
      const wanted = own(await whole.tree())
      const look = (await whole.shell.exec(LOOK)).stdout
      await forEachFault(
        async (faults) => {
          const { shell, tree } = await open(files, faults)
          const { exitCode, stderr } = await shell.exec(script)
          faults.stop()
          const failed = faults.fired.length > 0
          const wrong: string[] = []
          const after = await tree()
          for (const [path, left] of Object.entries({ ...before, ...own(after) })) {
            const now = own(after)[path]
            if (now !== before[path] && now !== wanted[path]) wrong.push(`${path} is ${JSON.stringify(now)}, not ${JSON.stringify(left)}`)
          }
          for (const path of Object.keys(after)) if (/\.lock$|\.new-|~$|tmp/i.test(path)) wrong.push(`${path} is left`)
          if (failed && exitCode === 0 && !stderr.includes('reflog')) {
            const now = (await shell.exec(LOOK)).stdout
            if (now !== look || !isSame(own(after), wanted)) wrong.push(`status 0, and ${JSON.stringify(now)}`)
          }
          const healthy = await shell.exec('git status --short > /dev/null && git log -1 --format=%s')
          if (healthy.exitCode !== 0) wrong.push(`git does not work any more: ${healthy.stderr}`)
          if (failed && exitCode !== 0) {
            const again = await shell.exec(`${script} > /dev/null 2>&1; ${LOOK}`)
            if (again.stdout !== look) wrong.push(`again: ${JSON.stringify(again.stdout)} for ${JSON.stringify(look)}, after ${stderr}`)
          }
          expect(wrong).toEqual([])
        },
        { faults: WRITE_FAULTS },
      )
    })
  }
})
