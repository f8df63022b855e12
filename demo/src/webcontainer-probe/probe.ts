import { createWebContainerFs, type WebContainerFs } from 'toolport/adapters/webcontainer'
import { fsContract } from 'toolport/testing'
import { linkCases } from './link-cases.js'
import type { ProbedContainer } from './probed-container.js'

export interface ProbeResult {
  readonly title: string
  /** Absent: it passed. */
  readonly error?: string
  readonly ms: number
}

interface ProbeCase {
  readonly title: string
  readonly run: () => void | Promise<void>
}

/** A case that hangs is a failure like any other. */
const CASE_MS = 120_000

/** Runs every case, each in a folder of its own, and tells of each as it ends. */
export async function runProbe(container: ProbedContainer, tell: (result: ProbeResult, left: number) => void): Promise<void> {
  const cases = [...linkCases(container), ...contractCases(container)]
  for (const [index, { title, run }] of cases.entries()) {
    const start = performance.now()
    const error = await withinTime(run)
    tell({ title, ...(error !== undefined && { error }), ms: performance.now() - start }, cases.length - index - 1)
  }
}

function contractCases(container: ProbedContainer): ProbeCase[] {
  const cases: ProbeCase[] = []
  let folders = 0
  const create = (): WebContainerFs => createWebContainerFs({ container, root: `contract-${folders++}` })
  const runner = {
    describe: (_: string, body: () => void) => body(),
    it: (title: string, run: () => void | Promise<void>) => {
      cases.push({ title, run })
    },
  }
  fsContract(runner, { name: 'webcontainer', without: ['append', 'copy', 'mode', 'setMeta', 'symlink', 'usage'], create })
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
