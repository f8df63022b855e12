import { createWebContainerFs, type WebContainerFs } from 'toolport/adapters/webcontainer'
import { fsContract, jsContract, type ShellUnderTest, sessionContract, shellContract, type TestRunner } from 'toolport/testing'
import { jsCases, jsIn } from './js-cases.js'
import { linkCases } from './link-cases.js'
import type { ProbedContainer } from './probed-container.js'
import { shellCases, shellIn } from './shell-cases.js'

/** `bash` is only for comparison: it tests a complete bash, of which a container's shell supports a small part. */
export type Suite = 'storage' | 'shell' | 'js' | 'bash'

export interface ProbeResult {
  readonly suite: Suite
  readonly title: string
  /** Undefined: passed. */
  readonly error?: string
  readonly ms: number
}

interface ProbeCase {
  readonly title: string
  readonly run: () => void | Promise<void>
}

/** Timeout of a case, milliseconds. */
const CASE_MS = 120_000

/** Runs all cases of these suites, each in a folder of its own, and reports each result. */
export async function runProbe(
  container: ProbedContainer,
  suites: readonly Suite[],
  tell: (result: ProbeResult, left: number) => void,
): Promise<void> {
  const cases = suites.flatMap((suite) => casesOf(container, suite).map((each) => ({ suite, ...each })))
  for (const [index, { suite, title, run }] of cases.entries()) {
    const start = performance.now()
    const error = await withinTime(run)
    tell({ suite, title, ...(error !== undefined && { error }), ms: performance.now() - start }, cases.length - index - 1)
  }
}

function casesOf(container: ProbedContainer, suite: Suite): ProbeCase[] {
  if (suite === 'storage') return [...linkCases(container), ...storageCases(container)]
  if (suite === 'js') return [...jsCases(container), ...jsContractCases(container)]
  return suite === 'shell' ? shellCases(container) : bashCases(container)
}

function storageCases(container: ProbedContainer): ProbeCase[] {
  let folders = 0
  const create = (): WebContainerFs => createWebContainerFs({ container, root: `contract-${folders++}` })
  return collected((runner) =>
    fsContract(runner, { name: 'webcontainer', without: ['append', 'copy', 'mode', 'setMeta', 'symlink', 'usage'], create }),
  )
}

function jsContractCases(container: ProbedContainer): ProbeCase[] {
  let folders = 0
  return collected((runner) => jsContract(runner, { name: 'webcontainer', create: () => jsIn(container, `js-contract-${folders++}`) }))
}

function bashCases(container: ProbedContainer): ProbeCase[] {
  let folders = 0
  const create = (): ShellUnderTest => shellIn(container, `bash-${folders++}`)
  return collected((runner) => {
    shellContract(runner, { name: 'webcontainer', without: ['processes'], create })
    sessionContract(runner, { name: 'webcontainer', without: ['processes', 'separateStderr', 'state'], create })
  })
}

function collected(suite: (runner: TestRunner) => void): ProbeCase[] {
  const cases: ProbeCase[] = []
  suite({
    describe: (_, body) => body(),
    it: (title, run) => {
      cases.push({ title, run })
    },
  })
  return cases
}

async function withinTime(run: () => void | Promise<void>): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`It did not end within ${CASE_MS / 1000} seconds`), CASE_MS)
  })
  const done = Promise.resolve()
    .then(run)
    .then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
    )
  try {
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}
