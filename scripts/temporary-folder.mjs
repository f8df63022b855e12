import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const ENOUGH = 4 * 2 ** 30

/**
 * The folder for tests, which write tens of thousands of files. Memory takes the system half as long as a disk, so this is Linux's
 * in-memory folder if it has 4 GiB left and can run programs (a container's often has only 64 MB). Otherwise, the system's temporary
 * folder.
 */
export const temporaryFolder = () => (isUsable() ? MEMORY : tmpdir())

function isUsable() {
  if (!existsSync(MEMORY) || !existsSync('/proc/mounts')) return false
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const [, , , options = 'noexec'] = mounts.find((line) => line.split(' ')[1] === MEMORY)?.split(' ') ?? []
  const { bavail, bsize } = statfsSync(MEMORY)
  return !options.split(',').includes('noexec') && bavail * bsize >= ENOUGH
}
