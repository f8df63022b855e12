import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gitEnvironment } from './native-git.js'

export interface ServedGit {
  readonly origin: string
  /** Commits of the branch `main` in `repo.git`, newest first, and the commit of its branch `topic`. */
  readonly main: readonly string[]
  readonly topic: string
}

/** User name and password that `/auth/` requires. */
const USER = { username: 'ada', password: 'p4ssw0rd:with/signs' }

/** Invalid or dangerous tree entries, by branch of `hostile.git`: name, mode and content. All directories have the same content. */
const HOSTILE: Readonly<Record<string, readonly (readonly [name: string, mode: string, content: string])[]>> = {
  'dot-dot': [['..', '40000', 'harmless']],
  'dot-git': [['.git', '40000', 'harmless']],
  'dot-git-case': [['.GIT', '40000', 'harmless']],
  'slash-in-name': [['../escaped.txt', '100644', 'out']],
  'git-by-backslash': [['.git\\hooks\\post-checkout', '100755', '#!/bin/sh\n']],
  'link-to-git': [
    ['a', '120000', '.git/hooks'],
    ['a', '40000', 'harmless'],
  ],
  'link-out': [['out', '120000', '../../../../etc/passwd']],
  'absolute-link': [['out', '120000', '/etc/passwd']],
  'reserved-name': [['.toolport-checkpoints', '40000', 'harmless']],
  submodule: [
    ['file', '100644', 'f\n'],
    ['sub', '160000', 'a9'.repeat(20)],
  ],
  'both-cases': [
    ['README', '100644', 'upper\n'],
    ['readme', '100644', 'lower\n'],
  ],
}

/**
 * Serves the repositories with native git over smart HTTP, with CORS. A first path segment such as `/auth/` or `/broken/` adds a fault (see
 * `answer`). The server is also its own CORS proxy: it ignores the prefix `/cors-proxy/<host>`.
 */
export async function startGitServer(): Promise<ServedGit & { close(): Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), 'git-server-'))
  const server = createServer((request, response) => {
    answer(root, request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
  const close = async (): Promise<void> => {
    await closeServer(server)
    rmSync(root, { recursive: true, force: true })
  }
  try {
    const served = makeRepositories(root)
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await checkServes(root)
    return { ...served, origin, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Fails early if `git http-backend` is missing, which some systems have in a separate package. */
async function checkServes(root: string): Promise<void> {
  const request = Object.assign(Readable.from([]), { method: 'GET', headers: {} })
  const { headers } = await backend(root, '/repo.git/info/refs', 'service=git-upload-pack', request)
  const type = headers['Content-Type']
  if (type !== 'application/x-git-upload-pack-advertisement') throw new Error(`"git http-backend" does not work, it answered with ${type}`)
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

const DATES = { GIT_AUTHOR_DATE: '1700000000 +0100', GIT_COMMITTER_DATE: '1700000000 +0100' }

const nativeGit = (cwd: string, home: string, args: readonly string[], input?: string): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main', ...args], {
    cwd,
    input,
    encoding: 'utf8',
    env: gitEnvironment(home, DATES),
  }).trim()

function makeRepositories(root: string): Omit<ServedGit, 'origin'> {
  const work = join(root, 'work')
  mkdirSync(join(work, 'src/deep'), { recursive: true })
  const git = (...args: string[]): string => nativeGit(work, root, args)
  git('init', '-q')
  writeFileSync(join(work, 'README.md'), '# Served\n')
  writeFileSync(join(work, 'src/deep/code.ts'), 'export const a = 1\n'.repeat(50))
  writeFileSync(join(work, 'run.sh'), '#!/bin/sh\necho run\n', { mode: 0o755 })
  writeFileSync(
    join(work, 'bytes.bin'),
    Uint8Array.from({ length: 20_000 }, (_, i) => (i * i * 31 + (i >> 3)) % 256),
  )
  symlinkSync('src/deep/code.ts', join(work, 'link'))
  git('add', '-A')
  git('commit', '-qm', 'commit 0')
  for (let i = 1; i <= 5; i++) {
    writeFileSync(join(work, 'counter.txt'), `${i}\n`)
    git('add', '-A')
    git('commit', '-qm', `commit ${i}`)
  }
  git('branch', 'topic', 'HEAD~2')
  git('tag', '-am', 'first', 'v1', 'HEAD~1')
  nativeGit(root, root, ['clone', '-q', '--bare', work, 'repo.git'])
  nativeGit(root, root, ['init', '-q', '--bare', 'empty.git'])
  makeHostile(root)
  return { main: git('log', '--format=%H').split('\n'), topic: git('rev-parse', 'topic') }
}

function makeHostile(root: string): void {
  const bare = join(root, 'hostile.git')
  nativeGit(root, root, ['init', '-q', '--bare', bare])
  const hash = (type: string, content: Buffer): Buffer => {
    const file = join(root, 'object')
    writeFileSync(file, content)
    return Buffer.from(nativeGit(bare, root, ['hash-object', '-t', type, '--literally', '-w', file]), 'hex')
  }
  const entry = (mode: string, name: string, oid: Buffer): Buffer => Buffer.concat([Buffer.from(`${mode} ${name}\0`), oid])
  // Clients that name no branch get `main`, so it needs a commit.
  nativeGit(bare, root, [
    'update-ref',
    'refs/heads/main',
    nativeGit(bare, root, ['commit-tree', '-m', 'empty', hash('tree', Buffer.alloc(0)).toString('hex')]),
  ])
  const harmless = hash('tree', entry('100644', 'post-checkout', hash('blob', Buffer.from('echo pwned\n'))))
  const oidOf = (mode: string, content: string): Buffer => {
    if (mode === '160000') return Buffer.from(content, 'hex')
    return mode === '40000' ? harmless : hash('blob', Buffer.from(content))
  }
  for (const [branch, entries] of Object.entries(HOSTILE)) {
    const bytes = entries.map(([name, mode, content]) => entry(mode, name, oidOf(mode, content)))
    const tree = hash('tree', Buffer.concat(bytes)).toString('hex')
    const commit = nativeGit(bare, root, ['commit-tree', '-m', branch, tree])
    nativeGit(bare, root, ['update-ref', `refs/heads/${branch}`, commit])
  }
}

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Allow-Methods': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

async function answer(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => {})
  const url = new URL(request.url ?? '/', 'http://localhost')
  const asked = url.pathname.replace(/^\/cors-proxy\/[^/]+/, '')
  const [, fault = ''] = /^\/(auth|broken|short|slow|status-\d+|page|no-cors)\//.exec(asked) ?? []
  const path = fault ? asked.slice(fault.length + 1) : asked
  if (fault !== 'no-cors') for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value)
  if (request.method === 'OPTIONS') return void response.writeHead(204).end()
  if (fault.startsWith('status-')) return void response.writeHead(Number(fault.slice(7))).end('no')
  if (fault === 'page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Hello')
  const wanted = `Basic ${Buffer.from(`${USER.username}:${USER.password}`).toString('base64')}`
  if (fault === 'auth' && request.headers.authorization !== wanted) {
    return void response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end('who are you?')
  }
  const isPack = request.method === 'POST'
  const { status, headers, body } = await backend(root, path, url.search.slice(1), request)
  response.writeHead(status, headers)
  // Never ends the response, so the client has to give up.
  if (fault === 'slow' && isPack) return void response.write(body.subarray(0, 100))
  if (fault === 'short' && isPack) return void response.end(body.subarray(0, body.length >> 1))
  if (fault === 'broken' && isPack) {
    return void response.write(body.subarray(0, body.length >> 1), () => setImmediate(() => response.destroy()))
  }
  response.end(body)
}

interface Answered {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}

type Asking = Readable & Pick<IncomingMessage, 'method' | 'headers'>

/** Answers a request with git's own CGI program. */
function backend(root: string, path: string, query: string, request: Asking): Promise<Answered> {
  const child = spawn('git', ['http-backend'], {
    env: gitEnvironment(root, {
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
      REMOTE_ADDR: '127.0.0.1',
    }),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  // If the client disconnects, `pipe` does not end the program's input, so the program would wait for the rest.
  request.once('close', () => child.stdin.end())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    child.on('error', reject)
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('close', () => resolve(parseCgi(Buffer.concat(chunks))))
  })
}

function parseCgi(output: Buffer): Answered {
  const end = output.indexOf('\r\n\r\n')
  const lines = output.subarray(0, Math.max(0, end)).toString('latin1').split('\r\n')
  const pairs = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const)
  const { Status = '200', ...headers } = Object.fromEntries(pairs)
  return { status: Number.parseInt(Status, 10), headers, body: output.subarray(end + 4) }
}
