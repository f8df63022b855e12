// Run with --expose-gc. Prints by how many bytes a walk raises the peak memory: a walk of the directory that the argument names, or else
// of a memory file system that is filled here.
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { fill, walkAll } from './walks.js'

function used(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const root = process.argv[2]
const fs = root === undefined ? createMemoryFs() : createNodeFs({ root })
if (root === undefined) await fill(fs)
const workspace = createWorkspace({ fs })
// Code and one-time costs are not counted.
await workspace.list('package-0')
globalThis.gc?.()
globalThis.gc?.()
const before = used()
let peak = before
await walkAll(workspace, () => {
  peak = Math.max(peak, used())
})
await workspace.close()
process.stdout.write(String(peak - before))
