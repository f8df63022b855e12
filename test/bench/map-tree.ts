// The floor of the memory file system: a tree of Maps with async methods that copy contents in and out. It has a single error, and no
// counters, directory times, modes, versions, links, sorted listings or checks.

interface MapFile {
  readonly kind: 'file'
  readonly bytes: Uint8Array
  readonly mtimeMs: number
}

interface MapDir {
  readonly kind: 'dir'
  readonly entries: Map<string, MapFile | MapDir>
}

/** The methods that both sides implement. */
export interface BenchFs {
  lstat(path: string): Promise<{ readonly kind: string; readonly size: number }>
  readdir(path: string): Promise<readonly { readonly name: string; readonly kind: string }[]>
  read(path: string): Promise<Uint8Array>
  write(path: string, bytes: Uint8Array): Promise<void>
  mkdir(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
}

export function createMapTree(): BenchFs {
  const root: MapDir = { kind: 'dir', entries: new Map() }
  return {
    async lstat(path) {
      const node = find(root, path)
      return node.kind === 'file' ? { kind: 'file', size: node.bytes.length, mtimeMs: node.mtimeMs } : { kind: 'dir', size: 0, mtimeMs: 0 }
    },
    async readdir(path) {
      const node = find(root, path)
      if (node.kind !== 'dir') throw new Error(path)
      const list: { name: string; kind: string }[] = []
      for (const [name, { kind }] of node.entries) list.push({ name, kind })
      return list
    },
    async read(path) {
      const node = find(root, path)
      if (node.kind !== 'file') throw new Error(path)
      return node.bytes.slice()
    },
    async write(path, bytes) {
      parent(root, path).set(nameOf(path), { kind: 'file', bytes: bytes.slice(), mtimeMs: Date.now() })
    },
    async mkdir(path) {
      parent(root, path).set(nameOf(path), { kind: 'dir', entries: new Map() })
    },
    async rename(from, to) {
      const source = parent(root, from)
      const node = source.get(nameOf(from))
      if (!node) throw new Error(from)
      source.delete(nameOf(from))
      parent(root, to).set(nameOf(to), node)
    },
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function parent(root: MapDir, path: string): MapDir['entries'] {
  let { entries } = root
  let start = 1
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', start)) {
    const node = entries.get(path.slice(start, end))
    if (node?.kind !== 'dir') throw new Error(path)
    entries = node.entries
    start = end + 1
  }
  return entries
}

function find(root: MapDir, path: string): MapFile | MapDir {
  if (path === '/') return root
  const node = parent(root, path).get(nameOf(path))
  if (!node) throw new Error(path)
  return node
}
