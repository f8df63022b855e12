import git from 'isomorphic-git'
import { toNodeFs, type Workspace } from 'toolport'
import { createGit } from 'toolport/adapters/git'

const author = { name: 'Ada', email: 'ada@example.com', timestamp: 1_700_000_000, timezoneOffset: -60 }

export interface GitSession {
  readonly first: string
  readonly second: string
  readonly onBranch: string
  readonly merged: string
  /** Paths that differ from the last commit, after each step. */
  readonly statuses: readonly (readonly string[])[]
  readonly log: readonly string[]
}

/** The git operations of a session. Paths are relative to the repository. */
interface Client {
  init(): Promise<unknown>
  add(paths: string[]): Promise<unknown>
  remove(paths: string[]): Promise<unknown>
  commit(message: string): Promise<string>
  status(): Promise<string[]>
  branch(name: string, from: string): Promise<unknown>
  checkout(name: string, force?: boolean): Promise<unknown>
  log(): Promise<{ readonly oid: string; readonly message: string }[]>
}

/** isomorphic-git itself, on `toNodeFs`. */
function libraryClient(workspace: Workspace): Client {
  const repo = { fs: toNodeFs(workspace), dir: workspace.root }
  return {
    init: () => git.init({ ...repo, defaultBranch: 'main' }),
    add: (paths) => git.add({ ...repo, filepath: paths }),
    remove: (paths) => git.remove({ ...repo, filepath: paths }),
    commit: (message) => git.commit({ ...repo, message, author, committer: author }),
    status: async () => {
      const rows = await git.statusMatrix(repo)
      return rows.filter(([, head, work, stage]) => head !== 1 || work !== 1 || stage !== 1).map(([path]) => path)
    },
    branch: (ref, object) => git.branch({ ...repo, ref, object }),
    checkout: (ref) => git.checkout({ ...repo, ref }),
    log: async () => (await git.log(repo)).map(({ oid, commit }) => ({ oid, message: commit.message })),
  }
}

/** The git adapter. */
function adapterClient(workspace: Workspace): Client {
  const repo = createGit({ workspace, author })
  return {
    init: () => repo.init(),
    add: (paths) => repo.add({ paths }),
    remove: (paths) => repo.remove({ paths, keepFiles: true }),
    commit: async (message) => (await repo.commit({ message })).oid,
    status: async () => (await repo.status()).map(({ path }) => path),
    branch: (name, from) => repo.createBranch({ name, from }),
    checkout: (ref, force = false) => repo.checkout({ ref, force }),
    log: async () => [...(await repo.log())],
  }
}

/** A typical day's work in a repository. The ids depend only on contents. Uses no symlinks if the storage has none. */
async function session(workspace: Workspace, client: Client): Promise<GitSession> {
  const statuses: string[][] = []
  const note = async (): Promise<void> => {
    statuses.push(await client.status())
  }

  await client.init()
  for (let i = 0; i < 200; i++) await workspace.writeText(`src/d${i % 10}/file${i}.txt`, `file ${i}\n`.repeat((i % 7) + 1))
  await workspace.writeText('crlf.txt', 'one\r\ntwo\r\n')
  await workspace.writeBytes(
    'bytes.bin',
    Uint8Array.from({ length: 5000 }, (_, i) => i % 256),
  )
  await workspace.writeText('empty', '')
  await workspace.writeText('naïve – file.txt', 'unicode\n')
  if (workspace.fs.symlink) await workspace.symlink('src/d1/file1.txt', 'link')
  await client.add(['.'])
  const first = await client.commit('first\n')
  await note()

  await workspace.writeText('src/d0/file0.txt', 'changed\n')
  await workspace.remove('src/d5', { recursive: true })
  await workspace.writeText('new.txt', 'new\n')
  await note()
  await client.add(['src/d0/file0.txt', 'new.txt'])
  await client.remove(Array.from({ length: 20 }, (_, i) => `src/d5/file${i * 10 + 5}.txt`))
  const second = await client.commit('second\n')
  await note()

  await client.branch('topic', first)
  await client.checkout('topic')
  await note()
  await workspace.move('src/d1', 'moved')
  await workspace.writeText('topic.txt', 'topic\n')
  await client.add(['moved', 'topic.txt'])
  await client.remove(Array.from({ length: 20 }, (_, i) => `src/d1/file${i * 10 + 1}.txt`))
  const onBranch = await client.commit('on the branch\n')
  await client.checkout('main')
  await note()
  const repo = { fs: toNodeFs(workspace), dir: workspace.root }
  await git.merge({ ...repo, ours: 'main', theirs: 'topic', author, committer: author, message: 'merged\n' })
  await client.checkout('main', true)
  await note()
  const log = await client.log()
  return { first, second, onBranch, merged: log[0]?.oid ?? '', statuses, log: log.map(({ message }) => message.trim()) }
}

export const gitSession = (workspace: Workspace): Promise<GitSession> => session(workspace, libraryClient(workspace))

/** The same session with `createGit`. */
export const gitAdapterSession = (workspace: Workspace): Promise<GitSession> => session(workspace, adapterClient(workspace))

/** Commit ids for every runtime and storage with symlinks. The Node test checks that native git has the same ids. */
export const EXPECTED_IDS = {
  first: '3ccd8341fcd8ce7d1b5e7c168eda7a7738592ac7',
  second: '23ba90e1037c43ca6cba213da7be1fd5ba82b67d',
  onBranch: 'b108dbfbe1afe0731c86c4696c1efd10e4c356e0',
  merged: '8577e77d6e45050c8b6cd644fc588473175e6da2',
} as const

/** Commit ids for every storage without symlinks. */
export const EXPECTED_IDS_WITHOUT_LINKS = {
  first: '9fd3c6632e13de4bee460aa1aa1f2b1257d6f06c',
  second: 'e59efa48263d5bfc5716862f21604a2af0df7325',
  onBranch: 'c3b498a3a3f4f26de59dfc5967c67d1c6c9080d8',
  merged: '1e6bacf0ad5ee2d3f920847920b04508b4ea81d6',
} as const

export const expectedIds = (workspace: Workspace): Readonly<Record<keyof typeof EXPECTED_IDS, string>> =>
  workspace.fs.symlink ? EXPECTED_IDS : EXPECTED_IDS_WITHOUT_LINKS

/** Number of changed paths after each step. */
export const EXPECTED_STATUSES = [0, 22, 0, 0, 0, 0] as const

export const countStatuses = ({ statuses }: GitSession): number[] => statuses.map((paths) => paths.length)
