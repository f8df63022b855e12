import type { CommandContext } from './command.js'
import { hostOf } from './pace.js'

/** Takes an entry out of the way while a directory is made in its place, and puts it back where that fails. */
export async function setAside(context: CommandContext, path: string, make: () => Promise<void>): Promise<void> {
  const { fs } = context
  const aside = await freeName(context, path)
  await fs.mv(path, aside)
  try {
    await make()
    await fs.rm(aside, { recursive: true })
  } catch (error) {
    // Not what is in it: somebody else has put that there.
    await fs.rm(path, { force: true }).catch(() => undefined)
    await fs.mv(aside, path).catch(() => undefined)
    throw error
  }
}

async function freeName(context: CommandContext, path: string): Promise<string> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  for (;;) {
    const name = `${folder}.new-${Math.floor(hostOf(context).random() * 2 ** 48).toString(36)}`
    // A name that cannot be looked at is none to write to, and the writing says why.
    const there = await context.fs.lstat(name).catch(() => undefined)
    if (!there) return name
  }
}
