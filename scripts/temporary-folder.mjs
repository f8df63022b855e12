import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const ENOUGH = 4 * 2 ** 30

/**
 * Where tests write their tens of thousands of files: in memory, which takes the system half as long as a disk, where Linux has a folder of
 * that kind with 4 GiB left that runs programs (a container's often has 64 MB); else where the system keeps temporary files.
 */
export const temporaryFolder = () => (isUsable() ? MEMORY : tmpdir())

function isUsable() {
  if (!existsSync(MEMORY) || !existsSync('/proc/mounts')) return false
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const [, , , options = 'noexec'] = mounts.find((line) => line.split(' ')[1] === MEMORY)?.split(' ') ?? []
  const { bavail, bsize } = statfsSync(MEMORY)
  return !options.split(',').includes('noexec') && bavail * bsize >= ENOUGH
}
