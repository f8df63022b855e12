import { parentPath } from './paths.js'

interface Waiter {
  readonly exclusive: boolean
  readonly start: () => void
}

interface Lock {
  /** -1 for one exclusive holder, else the number of shared holders. */
  holders: number
  readonly queue: Waiter[]
}

/**
 * Locks on paths: exclusive on the path itself, shared on every directory above. A call takes its locks in sorted order, and each path
 * serves its callers in order of arrival. So two calls cannot deadlock.
 */
export class PathLocks {
  readonly #locks = new Map<string, Lock>()

  /** Takes the locks of all paths. Resolves to the function that releases them. */
  async acquire(paths: readonly string[]): Promise<() => void> {
    const wanted = withParents(paths)
    const held: string[] = []
    for (const [path, exclusive] of wanted) {
      const wait = this.#take(path, exclusive)
      if (wait) await wait
      held.push(path)
    }
    return () => {
      for (let i = held.length - 1; i >= 0; i--) this.#release(held[i] as string)
    }
  }

  #take(path: string, exclusive: boolean): Promise<void> | undefined {
    const lock = this.#locks.get(path)
    if (!lock) {
      this.#locks.set(path, { holders: exclusive ? -1 : 1, queue: [] })
      return undefined
    }
    if (!exclusive && lock.holders > 0 && lock.queue.length === 0) {
      lock.holders++
      return undefined
    }
    return new Promise((start) => lock.queue.push({ exclusive, start }))
  }

  #release(path: string): void {
    const lock = this.#locks.get(path)
    if (!lock) return
    lock.holders = lock.holders === -1 ? 0 : lock.holders - 1
    if (lock.holders === 0 && lock.queue.length === 0) this.#locks.delete(path)
    else this.#admit(lock)
  }

  #admit(lock: Lock): void {
    for (let next = lock.queue[0]; next; next = lock.queue[0]) {
      if (lock.holders === -1 || (next.exclusive && lock.holders > 0)) return
      lock.queue.shift()
      lock.holders = next.exclusive ? -1 : lock.holders + 1
      next.start()
    }
  }
}

/**
 * Lists the locks to take, sorted: each path and whether its lock is exclusive. A requested directory stays exclusive, even if it is above
 * another requested path.
 */
function withParents(paths: readonly string[]): [string, boolean][] {
  const [only] = paths
  if (paths.length === 1 && only !== undefined) return lineage(only)
  const wanted = new Map<string, boolean>()
  for (const path of paths) {
    wanted.set(path, true)
    for (let folder = parentPath(path); ; folder = parentPath(folder)) {
      if (!wanted.has(folder)) wanted.set(folder, false)
      if (folder === '/') break
    }
  }
  return [...wanted].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The locks for one path, the common case. They need no sorting, because a directory sorts before its content. */
function lineage(path: string): [string, boolean][] {
  const wanted: [string, boolean][] = [['/', path === '/']]
  for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) wanted.push([path.slice(0, end), false])
  if (path !== '/') wanted.push([path, true])
  return wanted
}
