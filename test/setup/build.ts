import { execFileSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'

/** Every project loads its own copy of this module, and one build is enough. */
const shared = globalThis as { toolportIsBuilt?: true }

/**
 * Builds the library before the first test and before each rerun. Tests of the package, the command line and child processes use the build,
 * which may be missing, outdated or partial: `npm start` builds only the part that the playground needs.
 */
export default function setup(project: TestProject): void {
  if (shared.toolportIsBuilt) return
  shared.toolportIsBuilt = true
  build()
  project.onTestsRerun(build)
}

function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: decodeURIComponent(new URL('../..', import.meta.url).pathname),
    stdio: 'inherit',
  })
}
