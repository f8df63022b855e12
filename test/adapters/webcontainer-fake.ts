import type { DirEnt, FileSystemAPI, FileSystemTree, SpawnOptions, WebContainer } from '@webcontainer/api'
import { FakeProcesses } from './webcontainer-fake-processes.js'

/** The part of the real class that the fake implements. */
export type ContainerApi = Pick<WebContainer, 'fs' | 'mount' | 'spawn' | 'path' | 'workdir'>

/** Full path of the fake's root. */
export const WORKDIR = '/projects/fake'

export type Node =
  | { readonly kind: 'file'; bytes: Uint8Array }
  | { readonly kind: 'dir'; readonly entries: Map<string, Node> }
  | { readonly kind: 'link'; readonly target: string }

export type Dir = Extract<Node, { kind: 'dir' }>

export type FakeCall = 'readdir' | 'readFile' | 'writeFile' | 'mkdir' | 'rm' | 'rename' | 'mount'

export interface FakeFaults {
  /** Called before a call that names a path. If it throws, the call fails with that error. */
  before?: (call: FakeCall, path: string) => void | Promise<void>
  /** Called after the work of a call, before its answer. */
  after?: (call: FakeCall, path: string) => void | Promise<void>
  /** Number of event loop turns that each call takes. */
  slow?: number
  /** Return contents like Node's `Buffer`: a subclass, and a view of a larger shared memory. */
  buffers?: boolean
  /** Number of entries after which a `mount` fails. These entries stay. */
  mountedAtMost?: number
}

class SharedBytes extends Uint8Array<ArrayBuffer> {}

/** The client's error: it has only the message of the container's error. */
export function failure(code: string, what: string, call: string, path: string): Error {
  return new Error(`${code}: ${what}, ${call} '/home/project/${path}'`)
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/**
 * The published file system API on a tree in memory, with Node's behaviour: symlinks are followed as Node follows them, and `rm` of a
 * directory needs `recursive`. Symlinks can only be created by `mount` or by a process (`link`).
 */
export class FakeContainer {
  readonly root: Dir = { kind: 'dir', entries: new Map() }
  readonly calls: string[] = []
  readonly processes = new FakeProcesses(this.root, WORKDIR)
  faults: FakeFaults = {}
  #torn = false

  /** Typed as the real API: this does not compile if a member is missing or extra. */
  readonly api: ContainerApi = {
    fs: this.#fs(),
    mount: (tree, options) => this.#mount(tree, options?.mountPoint ?? '.'),
    spawn: (command: string, args?: string[] | SpawnOptions, options?: SpawnOptions) => this.processes.spawn(command, args, options),
    path: '/usr/bin:/bin',
    workdir: WORKDIR,
  }

  teardown(): void {
    this.#torn = true
    this.processes.teardown()
  }

  /** Creates a symlink as a process would, without counting a call or a fault. */
  link(target: string, path: string): void {
    this.#put(path, { kind: 'link', target })
  }

  file(path: string, text: string): void {
    this.#put(path, { kind: 'file', bytes: new TextEncoder().encode(text) })
  }

  folder(path: string): void {
    this.#put(path, { kind: 'dir', entries: new Map() })
  }

  gone(path: string): void {
    const { parent, name } = this.#place(path)
    parent.entries.delete(name)
  }

  /** Text of a file, `-> target` of a symlink, `null` for a directory, undefined if nothing exists. */
  at(path: string): string | null | undefined {
    const { parent, name } = this.#place(path)
    const node = name === '.' ? this.root : parent.entries.get(name)
    if (!node) return undefined
    if (node.kind === 'dir') return null
    return node.kind === 'link' ? `-> ${node.target}` : new TextDecoder().decode(node.bytes)
  }

  #fs(): FileSystemAPI {
    const fs = {
      readdir: (path: string, options?: unknown) => this.#call('readdir', path, () => this.#readdir(path, options)),
      readFile: (path: string, encoding?: string | null) => this.#call('readFile', path, () => this.#readFile(path, encoding)),
      writeFile: (path: string, data: string | Uint8Array) => {
        // The client copies synchronously.
        const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data)
        return this.#call('writeFile', path, () => this.#writeFile(path, bytes))
      },
      mkdir: (path: string, options?: { recursive?: boolean }) => this.#call('mkdir', path, () => this.#mkdir(path, options?.recursive)),
      rm: (path: string, options?: { force?: boolean; recursive?: boolean }) =>
        this.#call('rm', path, () => this.#rm(path, options?.recursive ?? false, options?.force ?? false)),
      rename: (from: string, to: string) => this.#call('rename', from, () => this.#rename(from, to)),
      watch: () => {
        throw new Error('The fake does not watch')
      },
    }
    // TypeScript cannot infer the overloads from one implementation.
    return fs as unknown as FileSystemAPI
  }

  /** Not `async`, because the client throws synchronously after a teardown. */
  #call<T>(call: FakeCall, path: string, body: () => T): Promise<T> {
    if (this.#torn) throw new Error('Proxy has been released and is not useable')
    this.calls.push(`${call} ${path}`)
    return this.#answer(call, path, body)
  }

  async #answer<T>(call: FakeCall, path: string, body: () => T): Promise<T> {
    const { before, after, slow = 0 } = this.faults
    for (let i = 0; i < slow; i++) await turn()
    await before?.(call, path)
    const answer = body()
    await after?.(call, path)
    for (let i = 0; i < slow; i++) await turn()
    return answer
  }

  #readdir(path: string, options: unknown): DirEnt<string>[] {
    if (typeof options !== 'object' || options === null || !('withFileTypes' in options)) throw new Error('The fake lists with types only')
    const node = this.#follow(path, 'scandir')
    if (node.kind !== 'dir') throw failure('ENOTDIR', 'not a directory', 'scandir', path)
    return Array.from(node.entries, ([name, { kind }]) => ({ name, isFile: () => kind === 'file', isDirectory: () => kind === 'dir' }))
  }

  #readFile(path: string, encoding: string | null | undefined): Uint8Array {
    if (encoding) throw new Error('The fake reads bytes only')
    const node = this.#follow(path, 'open')
    if (node.kind !== 'file') throw failure('EISDIR', 'illegal operation on a directory', 'read', path)
    if (!this.faults.buffers) return new Uint8Array(node.bytes)
    const pool = new Uint8Array(node.bytes.length + 16).fill(0xee)
    pool.set(node.bytes, 8)
    return new SharedBytes(pool.buffer, 8, node.bytes.length)
  }

  #writeFile(path: string, bytes: Uint8Array): void {
    const { parent, name, node } = this.#target(path, 'open')
    if (node?.kind === 'dir') throw failure('EISDIR', 'illegal operation on a directory', 'open', path)
    if (node?.kind === 'file') node.bytes = bytes
    else parent.entries.set(name, { kind: 'file', bytes })
  }

  #mkdir(path: string, recursive = false): void {
    const { parent, name } = this.#place(path, 'mkdir')
    const node = parent.entries.get(name)
    if (node && !(recursive && node.kind === 'dir')) throw failure('EEXIST', 'file already exists', 'mkdir', path)
    if (!node) parent.entries.set(name, { kind: 'dir', entries: new Map() })
  }

  #rm(path: string, recursive: boolean, force: boolean): void {
    const { parent, name } = this.#place(path, 'rm')
    const node = parent.entries.get(name)
    if (!node && force) return
    if (!node) throw failure('ENOENT', 'no such file or directory', 'rm', path)
    if (node.kind === 'dir' && !recursive) throw new Error(`Path is a directory: rm returned EISDIR (is a directory) ${path}`)
    parent.entries.delete(name)
  }

  #rename(from: string, to: string): void {
    const source = this.#place(from, 'rename')
    const node = source.parent.entries.get(source.name)
    const dest = this.#place(to, 'rename')
    if (!node) throw failure('ENOENT', 'no such file or directory', 'rename', from)
    const replaced = dest.parent.entries.get(dest.name)
    if (replaced === node) return
    if (replaced && node.kind === 'dir' && replaced.kind !== 'dir') throw failure('ENOTDIR', 'not a directory', 'rename', from)
    if (replaced?.kind === 'dir' && node.kind !== 'dir') throw failure('EISDIR', 'illegal operation on a directory', 'rename', from)
    if (replaced?.kind === 'dir' && replaced.entries.size > 0) throw failure('ENOTEMPTY', 'directory not empty', 'rename', from)
    if (`${to}/`.startsWith(`${from}/`)) throw failure('EINVAL', 'invalid argument', 'rename', from)
    source.parent.entries.delete(source.name)
    dest.parent.entries.set(dest.name, node)
  }

  #mount(tree: FileSystemTree | Uint8Array | ArrayBuffer, at: string): Promise<void> {
    return this.#call('mount', at, () => {
      if (tree instanceof Uint8Array || tree instanceof ArrayBuffer) throw new Error('The fake mounts trees only')
      const folder = this.#follow(at, 'mount')
      if (folder.kind !== 'dir') throw failure('ENOTDIR', 'not a directory', 'mount', at)
      let room = this.faults.mountedAtMost ?? Number.POSITIVE_INFINITY
      const fill = (into: Dir, entries: FileSystemTree): void => {
        // Like the client: copying the keys to a plain object loses an entry `__proto__`.
        const sent: FileSystemTree = {}
        for (const name of Object.keys(entries)) sent[name] = entries[name] as FileSystemTree[string]
        for (const [name, entry] of Object.entries(sent)) {
          if (room-- <= 0) throw new Error('The container ran out of memory')
          const old = into.entries.get(name)
          if ('directory' in entry) {
            const next: Dir = old?.kind === 'dir' ? old : { kind: 'dir', entries: new Map() }
            into.entries.set(name, next)
            fill(next, entry.directory)
          } else if ('symlink' in entry.file) into.entries.set(name, { kind: 'link', target: entry.file.symlink })
          else {
            const { contents } = entry.file
            const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : new Uint8Array(contents)
            into.entries.set(name, { kind: 'file', bytes })
          }
        }
      }
      fill(folder, tree)
    })
  }

  #put(path: string, node: Node): void {
    const { parent, name } = this.#place(path)
    parent.entries.set(name, node)
  }

  /** The parent directory and the name. Follows symlinks in parents. */
  #place(path: string, call = 'open'): { readonly parent: Dir; readonly name: string } {
    const names = namesOf(path)
    const name = names.pop() ?? '.'
    const parent = this.#walk(names, call, path)
    if (parent.kind !== 'dir') throw failure('ENOTDIR', 'not a directory', call, path)
    return { parent, name }
  }

  /** As `#place`, but follows a symlink in the last component. */
  #target(path: string, call: string, hops = 0): { readonly parent: Dir; readonly name: string; readonly node: Node | undefined } {
    const { parent, name } = this.#place(path, call)
    const node = name === '.' ? parent : parent.entries.get(name)
    if (node?.kind !== 'link') return { parent, name, node }
    if (hops > 40) throw failure('ELOOP', 'too many symbolic links encountered', call, path)
    return this.#target(resolved(namesOf(path), node.target).join('/'), call, hops + 1)
  }

  #follow(path: string, call: string): Node {
    const { node } = this.#target(path, call)
    if (!node) throw failure('ENOENT', 'no such file or directory', call, path)
    return node
  }

  #walk(names: readonly string[], call: string, path: string): Node {
    let pending = [...names]
    let done: string[] = []
    let node: Node = this.root
    for (let hops = 0; pending.length > 0; ) {
      const name = pending.shift() as string
      if (node.kind !== 'dir') throw failure('ENOTDIR', 'not a directory', call, path)
      const next: Node | undefined = node.entries.get(name)
      if (!next) throw failure('ENOENT', 'no such file or directory', call, path)
      done.push(name)
      if (next.kind !== 'link') {
        node = next
        continue
      }
      if (++hops > 40) throw failure('ELOOP', 'too many symbolic links encountered', call, path)
      pending = [...resolved(done, next.target), ...pending]
      done = []
      node = this.root
    }
    return node
  }
}

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.')

/** The path that a symlink leads to, from the root of the fake. */
function resolved(link: readonly string[], target: string): string[] {
  const names = target.startsWith('/') ? [] : link.slice(0, -1)
  for (const name of namesOf(target)) {
    if (name === '..') names.pop()
    else names.push(name)
  }
  return names
}
