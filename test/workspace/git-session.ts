import git from 'isomorphic-git'
import { toNodeFs, type Workspace } from 'toolport'

const author = { name: 'Ada', email: 'ada@example.com', timestamp: 1_700_000_000, timezoneOffset: -60 }

export interface GitSession {
  readonly first: string
  readonly second: string
  readonly onBranch: string
  readonly merged: string
  readonly statuses: readonly string[]
  readonly log: readonly string[]
}

/** What a person does with a repository in a day, through the facade; the ids depend on nothing but the content. */
export async function gitSession(workspace: Workspace): Promise<GitSession> {
  const fs = toNodeFs(workspace)
  const repo = { fs, dir: workspace.root }
  const commit = (message: string): Promise<string> => git.commit({ ...repo, message, author, committer: author })
  const statuses: string[] = []
  const note = async (): Promise<void> => {
    const rows = await git.statusMatrix(repo)
    statuses.push(
      rows
        .filter(([, head, work, stage]) => head !== 1 || work !== 1 || stage !== 1)
        .map((row) => row.join(' '))
        .join('; '),
    )
  }

  await git.init({ ...repo, defaultBranch: 'main' })
  for (let i = 0; i < 200; i++) await workspace.writeText(`src/d${i % 10}/file${i}.txt`, `file ${i}\n`.repeat((i % 7) + 1))
  await workspace.writeText('crlf.txt', 'one\r\ntwo\r\n')
  await workspace.writeBytes(
    'bytes.bin',
    Uint8Array.from({ length: 5000 }, (_, i) => i % 256),
  )
  await workspace.writeText('empty', '')
  await workspace.writeText('naïve – file.txt', 'unicode\n')
  await workspace.symlink('src/d1/file1.txt', 'link')
  await git.add({ ...repo, filepath: '.' })
  const first = await commit('first\n')
  await note()

  await workspace.writeText('src/d0/file0.txt', 'changed\n')
  await workspace.remove('src/d5', { recursive: true })
  await workspace.writeText('new.txt', 'new\n')
  await note()
  await git.add({ ...repo, filepath: ['src/d0/file0.txt', 'new.txt'] })
  for (let i = 5; i < 200; i += 10) await git.remove({ ...repo, filepath: `src/d5/file${i}.txt` })
  const second = await commit('second\n')
  await note()

  await git.branch({ ...repo, ref: 'topic', object: first })
  await git.checkout({ ...repo, ref: 'topic' })
  await note()
  await workspace.move('src/d1', 'moved')
  await workspace.writeText('topic.txt', 'topic\n')
  await git.add({ ...repo, filepath: ['moved', 'topic.txt'] })
  for (let i = 1; i < 200; i += 10) await git.remove({ ...repo, filepath: `src/d1/file${i}.txt` })
  const onBranch = await commit('on the branch\n')
  await git.checkout({ ...repo, ref: 'main' })
  await note()
  await git.merge({ ...repo, ours: 'main', theirs: 'topic', author, committer: author, message: 'merged\n' })
  await git.checkout({ ...repo, ref: 'main' })
  await note()
  const log = await git.log(repo)
  return { first, second, onBranch, merged: log[0]?.oid ?? '', statuses, log: log.map((entry) => entry.commit.message.trim()) }
}

/** What the session must come to in every runtime and on every storage. The native git of the Node test agrees. */
export const EXPECTED_IDS = {
  first: '3ccd8341fcd8ce7d1b5e7c168eda7a7738592ac7',
  second: '23ba90e1037c43ca6cba213da7be1fd5ba82b67d',
  onBranch: 'b108dbfbe1afe0731c86c4696c1efd10e4c356e0',
  merged: '8577e77d6e45050c8b6cd644fc588473175e6da2',
} as const

/** Nothing to report but between the changes and the second commit. */
export const EXPECTED_STATUSES = [0, 22, 0, 0, 0, 0] as const

export const countStatuses = ({ statuses }: GitSession): number[] => statuses.map((rows) => (rows === '' ? 0 : rows.split('; ').length))
