// @module-tag git
import '../shims/buffer-if-missing.js'
import { createWorkspace, type Workspace } from 'toolport'
import { createFetch, type FetchOptions } from 'toolport/adapters/fetch'
import { createGit, type Git, type GitOptions } from 'toolport/adapters/git'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { service } from '../service.js'
import { author, bareFs, files, inputError, read, refusal } from './git-support.js'

const { origin, main, topic } = await service('git')
const url = `${origin}/repo.git`
const USER = { username: 'ada', password: 'p4ssw0rd:with/signs' }

interface Here {
  readonly workspace: Workspace
  readonly git: Git
}

function here(options: Partial<GitOptions> = {}, fetchOptions: Partial<FetchOptions> = {}): Here {
  const workspace = options.workspace ?? createWorkspace({ fs: createMemoryFs() })
  return { workspace, git: createGit({ workspace, author, fetch: createFetch({ origins: [origin], ...fetchOptions }), ...options }) }
}

/** Whether the workspace has no entries, not even hidden ones. */
const isEmpty = async (workspace: Workspace): Promise<boolean> => (await workspace.list('.')).length === 0

const CONTENT = ['README.md', 'bytes.bin', 'counter.txt', 'run.sh', 'src/deep/code.ts']

describe('clone', () => {
  it('gets all files and branches of the server', async () => {
    const { workspace, git } = here()
    const phases: string[] = []
    expect(await git.clone({ url, onProgress: ({ phase }) => phases.push(phase) })).toEqual({ branch: 'main', oid: main[0], files: 6 })
    expect(Object.keys(await files(workspace)).sort()).toEqual(CONTENT)
    expect(await workspace.readlink('link')).toBe('src/deep/code.ts')
    expect((await workspace.stat('run.sh')).mode).toBe(0o755)
    expect(await git.status()).toEqual([])
    expect((await git.log()).map(({ oid }) => oid)).toEqual(main)
    expect(await git.checkout({ ref: 'topic' })).toMatchObject({ branch: 'topic', oid: topic })
    expect(await read(workspace, 'counter.txt')).toBe('3\n')
    expect(phases).not.toEqual([])
  })

  it('gets the same content on a storage without links and modes', async () => {
    const { workspace, git } = here({ workspace: createWorkspace({ fs: bareFs() }) })
    await git.clone({ url })
    expect(await read(workspace, 'link')).toBe('src/deep/code.ts')
    expect(await git.status()).toEqual([])
    await workspace.writeText('run.sh', '#!/bin/sh\n')
    await git.add({ paths: ['.'] })
    await git.commit({ message: 'edited' })
    expect((await git.diff({ from: 'refs/remotes/origin/main', to: 'HEAD' })).files.map(({ path }) => path)).toEqual(['run.sh'])
  })

  it('clones a branch or a tag, to the given depth, into a directory', async () => {
    const shallow = here({ dir: 'deep/sub' })
    expect(await shallow.git.clone({ url, depth: 2 })).toMatchObject({ branch: 'main', oid: main[0] })
    expect((await shallow.git.log()).map(({ oid }) => oid)).toEqual(main.slice(0, 2))
    expect(await read(shallow.workspace, 'deep/sub/counter.txt')).toBe('5\n')
    await expect(shallow.git.checkout({ ref: 'topic' })).rejects.toEqual(inputError('there is no branch'))
    const branch = here()
    expect(await branch.git.clone({ url, ref: 'topic', singleBranch: true })).toMatchObject({ branch: 'topic', oid: topic })
    const tag = here()
    expect(await tag.git.clone({ url, ref: 'v1' })).toMatchObject({ branch: undefined, oid: main[1] })
  })

  it('clones an empty repository', async () => {
    const { workspace, git } = here()
    expect(await git.clone({ url: `${origin}/empty.git` })).toEqual({ branch: undefined, oid: undefined, files: 0 })
    await workspace.writeText('a', 'a\n')
    await git.add({ paths: ['.'] })
    await git.commit({ message: 'first' })
    expect(await git.log()).toHaveLength(1)
  })

  it('sends credentials only on request, and never stores or prints them', async () => {
    const auth = `${origin}/auth/repo.git`
    const secret = here({ credentials: USER })
    await secret.git.clone({ url: auth })
    const asked: string[] = []
    const byCall = here({
      onAuth: async (address) => {
        asked.push(address)
        return USER
      },
    })
    await byCall.git.clone({ url: auth })
    expect(asked).toEqual([auth])
    for (const [path, content] of Object.entries(await secret.workspace.files())) {
      if (typeof content === 'string') expect(content, path).not.toMatch(/p4ssw0rd|YWRhOn/)
    }
    for (const options of [{}, { credentials: { ...USER, password: 'wr0ng' } }, { onAuth: () => undefined }]) {
      const { workspace, git } = here(options)
      const failure = await git.clone({ url: auth }).catch((error: unknown) => error)
      expect(failure).toEqual(refusal('NetworkError', 'http_status', 'wants credentials, or refused those it got'))
      expect(failure).toMatchObject({ httpStatus: 401 })
      expect(String((failure as Error).message)).not.toMatch(/p4ss|wr0ng/)
      expect(await isEmpty(workspace)).toBe(true)
    }
  })

  it('sends requests through a CORS proxy', async () => {
    const seen: string[] = []
    const { git } = here({
      corsProxy: `${origin}/proxy?key=s3cret&to=`.replace('&to=', '&?'),
      fetch: {
        name: 'recorded',
        fetch: async (request) => {
          seen.push(request.url)
          return createFetch({ origins: [origin] }).fetch({ ...request, url: request.url.split('&?')[1] ?? '' })
        },
      },
    })
    await git.clone({ url })
    expect(seen).toEqual([
      `${origin}/proxy?key=s3cret&?${url}/info/refs?service=git-upload-pack`,
      `${origin}/proxy?key=s3cret&?${url}/git-upload-pack`,
    ])
  })

  it('accepts streamed responses up to maxBytes', async () => {
    const streaming = (maxBytes?: number): Here =>
      here({
        ...(maxBytes && { maxBytes }),
        fetch: {
          name: 'streaming',
          fetch: ({ url: address, method = 'GET', headers, body }) =>
            globalThis.fetch(address, { method, headers: headers as Record<string, string>, body: (body as BodyInit | undefined) ?? null }),
        },
      })
    expect(await streaming().git.clone({ url })).toMatchObject({ oid: main[0] })
    const { workspace, git } = streaming(5000)
    await expect(git.clone({ url })).rejects.toEqual(refusal('NetworkError', 'too_large', 'larger than 5000 bytes. Clone with a "depth".'))
    expect(await isEmpty(workspace)).toBe(true)
    const broken = streaming()
    await expect(broken.git.clone({ url: `${origin}/broken/repo.git` })).rejects.toEqual(refusal('NetworkError', 'network', 'broke off'))
    expect(await isEmpty(broken.workspace)).toBe(true)
  })
})

describe('a clone that fails leaves no files behind', () => {
  const NETWORK: Readonly<Record<string, readonly [address: string, code: string, message: string]>> = {
    'no repository at the address': ['/missing.git', 'http_status', 'there is no repository at'],
    'a web page instead of a repository': ['/page/repo.git', 'network', 'does not answer as a git server does'],
    'a connection that breaks off': ['/broken/repo.git', 'network', ''],
    'an incomplete pack': ['/short/repo.git', 'network', 'not whole'],
    'a server error': ['/status-503/repo.git', 'http_status', 'status 503'],
    'a private repository': ['/status-403/repo.git', 'http_status', 'forbids it'],
  }

  for (const [what, [address, code, message]] of Object.entries(NETWORK)) {
    it(what, async () => {
      const { workspace, git } = here({ dir: 'sub' })
      const failed = git.clone({ url: `${origin}${address}` })
      await expect(failed).rejects.toEqual(refusal('NetworkError', code, message))
      await expect(failed).rejects.not.toEqual(refusal('NetworkError', code, 'node_modules'))
      expect(await isEmpty(workspace)).toBe(true)
    })
  }

  it('a clone leaves no files after an invalid address or one that the fetch adapter rejects', async () => {
    const { workspace, git } = here()
    for (const [address, message] of [
      ['git@example.com:a/b.git', 'no https:// or http:// URL'],
      ['ssh://example.com/a', 'no https:// or http:// URL'],
      ['file:///etc', 'no https:// or http:// URL'],
      ['https://ada:s3cret@example.com/a.git', 'pass them as "credentials"'],
    ] as const) {
      const failure = await git.clone({ url: address }).catch((error: unknown) => error)
      expect(failure).toEqual(inputError(message))
      expect((failure as Error).message).not.toContain('s3cret')
    }
    await expect(git.clone({ url: 'https://example.com/a.git' })).rejects.toEqual(refusal('NetworkError', 'blocked_origin', 'example.com'))
    await expect(git.clone({ url, depth: 0 })).rejects.toEqual(inputError('"depth"'))
    await expect(git.clone({ url, ref: 'nowhere' })).rejects.toEqual(inputError('has no branch or tag of that name'))
    const offline = createGit({ workspace })
    await expect(offline.clone({ url })).rejects.toEqual(refusal('UnsupportedError', 'unsupported', 'there is no fetch adapter'))
    expect(await isEmpty(workspace)).toBe(true)
  })

  it('a clone leaves no files after a pack above the limit of the fetch adapter or the quota', async () => {
    const small = here({}, { maxBytes: 5000 })
    await expect(small.git.clone({ url })).rejects.toEqual(refusal('NetworkError', 'too_large', ''))
    expect(await isEmpty(small.workspace)).toBe(true)
    const full = here({ workspace: createWorkspace({ fs: createMemoryFs(), quotas: { bytes: 19_000 } }) })
    await expect(full.git.clone({ url })).rejects.toEqual(refusal('FsError', 'ENOSPC', ''))
    expect(await isEmpty(full.workspace)).toBe(true)
  })

  it('a clone leaves no files after an abort in the middle of the transfer', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const fetch = createFetch({ origins: [origin] })
    const { workspace, git } = here({
      fetch: {
        name: 'watched',
        fetch: (request) => {
          const answer = fetch.fetch(request)
          if (request.method === 'POST') stop.abort(reason)
          return answer
        },
      },
    })
    await expect(git.clone({ url: `${origin}/slow/repo.git`, signal: stop.signal })).rejects.toBe(reason)
    expect(await isEmpty(workspace)).toBe(true)
    expect(await git.clone({ url })).toMatchObject({ oid: main[0] })
  })

  it('a failed clone keeps the files of a directory that was not empty, and files written during the clone', async () => {
    const { workspace, git } = here()
    await workspace.writeText('mine', 'm\n')
    await expect(git.clone({ url })).rejects.toEqual(inputError('"/workspace" is not empty'))
    expect(await workspace.files()).toEqual({ mine: 'm\n' })
    const fetch = createFetch({ origins: [origin] })
    const later = here({
      dir: 'sub',
      workspace,
      fetch: {
        name: 'meanwhile',
        fetch: async (request) => {
          await workspace.writeText('sub/counter.txt', 'mine\n')
          return fetch.fetch(request)
        },
      },
    })
    await expect(later.git.clone({ url })).rejects.toEqual(inputError('"counter.txt"'))
    expect(await workspace.files()).toEqual({ mine: 'm\n', 'sub/counter.txt': 'mine\n' })
  })
})

describe('hostile repositories', () => {
  const REFUSED: Readonly<Record<string, RegExp>> = {
    'dot-dot': /holds the path ".."/,
    'dot-git': /holds the path ".git"/,
    'dot-git-case': /holds the path ".GIT"/,
    'slash-in-name': /holds the path "..\/escaped.txt"/,
    'git-by-backslash': /holds the path ".git\\hooks\\post-checkout"/,
    'link-out': /outside|escape|leads out/,
  }

  for (const [ref, message] of Object.entries(REFUSED)) {
    it(`${ref} is rejected, and no files are left`, async () => {
      const workspace = createWorkspace({ fs: createMemoryFs({ files: { 'beside.txt': 'b\n' } }) })
      const { git } = here({ workspace, dir: 'sub' })
      const failure = await git.clone({ url: `${origin}/hostile.git`, ref, singleBranch: true }).catch((error: unknown) => error)
      expect((failure as Error).name).toMatch(/^(InputError|FsError|WorkspaceError)$/)
      expect((failure as Error).message).toMatch(message)
      expect(await workspace.files()).toEqual({ 'beside.txt': 'b\n' })
      expect(await workspace.exists('sub')).toBe(false)
    })
  }

  it('a repository with an absolute link is rejected', async () => {
    const { git, workspace } = here({ dir: 'sub' })
    const failure = await git.clone({ url: `${origin}/hostile.git`, ref: 'absolute-link' }).catch((error: unknown) => error)
    expect((failure as Error).message).toMatch(/outside|escape|leads out/)
    expect(await isEmpty(workspace)).toBe(true)
  })

  it('a link and a directory of the same name do not write into .git', async () => {
    const { git, workspace } = here({ dir: 'sub' })
    await git.clone({ url: `${origin}/hostile.git`, ref: 'link-to-git' }).catch(() => undefined)
    expect(await workspace.exists('sub/.git/hooks/post-checkout')).toBe(false)
  })

  it('a submodule is an empty directory and not a change', async () => {
    const { git, workspace } = here()
    await git.clone({ url: `${origin}/hostile.git`, ref: 'submodule' })
    expect(await files(workspace)).toEqual({ file: 'f\n' })
    expect(await git.status()).toEqual([])
    await workspace.writeText('file', 'g\n')
    expect(await git.add({ paths: ['.'] })).toEqual({ added: ['file'], removed: [] })
    await git.commit({ message: 'second' })
    expect((await git.diff({ from: 'HEAD', to: 'index' })).files).toEqual([])
    await git.checkout({ ref: 'main' })
    expect(await files(workspace)).toEqual({})
    await git.checkout({ ref: 'submodule' })
    expect(await git.status()).toEqual([])
  })

  it('a reserved workspace name is rejected', async () => {
    const { git, workspace } = here()
    const failed = git.clone({ url: `${origin}/hostile.git`, ref: 'reserved-name' })
    await expect(failed).rejects.toEqual(refusal('FsError', 'EACCES', '.toolport-checkpoints'))
    expect(await isEmpty(workspace)).toBe(true)
  })

  it('names that differ only in case are two files on a case-sensitive storage', async () => {
    const { git, workspace } = here()
    await git.clone({ url: `${origin}/hostile.git`, ref: 'both-cases' })
    expect(await files(workspace)).toEqual({ README: 'upper\n', readme: 'lower\n' })
    expect(await git.status()).toEqual([])
  })
})
