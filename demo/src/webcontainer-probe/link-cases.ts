import { createWebContainerFs, type WebContainerFs } from 'toolport/adapters/webcontainer'
import { expectSame } from './expect.js'
import type { ProbedContainer } from './probed-container.js'

interface LinkCase {
  readonly title: string
  readonly run: () => Promise<void>
}

type Body = (fs: WebContainerFs, container: ProbedContainer, root: string) => Promise<void>

/** What the adapter relies on beyond the contract: links, `mount`, and error messages. */
const BODIES: Readonly<Record<string, Body>> = {
  'a link that was mounted is neither a file nor a directory': async (fs) => {
    const kinds = (await fs.readdir('/')).map(({ name, kind }) => `${name} ${kind}`).sort()
    expectSame(kinds, ['dir dir', 'link symlink', 'loose symlink', 'tree dir'])
  },
  'reading, writing and listing a link is ELOOP': async (fs) => {
    await expectCode(fs.read('/link/kept'), 'ELOOP')
    await expectCode(fs.readdir('/link'), 'ELOOP')
    await expectCode(fs.write('/loose', new Uint8Array(1)), 'ELOOP')
    await expectKept(fs)
  },
  'removing a link leaves what it leads to': async (fs) => {
    await fs.unlink('/link')
    await expectCode(fs.lstat('/link'), 'ENOENT')
    await fs.unlink('/loose')
    await expectKept(fs)
  },
  'removing a tree with links in it leaves what they lead to': async (fs) => {
    await fs.rmTree('/tree')
    await expectCode(fs.lstat('/tree'), 'ENOENT')
    await expectKept(fs)
  },
  'renaming a link moves the link itself': async (fs) => {
    await fs.rename('/link', '/moved')
    expectSame((await fs.lstat('/moved')).kind, 'symlink')
    await expectKept(fs)
  },
  'renaming a file over a link replaces the link': async (fs) => {
    await fs.write('/new', new TextEncoder().encode('new'))
    await fs.rename('/new', '/link')
    expectSame((await fs.lstat('/link')).kind, 'file')
    await expectKept(fs)
  },
  'a removal without "recursive" refuses a directory, and takes nothing': async (_, container, root) => {
    const refused = await container.fs.rm(`${root}/dir`).then(
      () => false,
      () => true,
    )
    expectSame(refused, true)
    expectSame(new TextDecoder().decode(await container.fs.readFile(`${root}/dir/kept`)), 'kept')
  },
  'an error begins with its code': async (_, container, root) => {
    const message = await container.fs.readFile(`${root}/none`).then(
      () => 'no error',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    if (!message.startsWith('ENOENT:')) throw new Error(`Expected a message that begins with "ENOENT:", got "${message}"`)
  },
  'importFiles keeps every byte, below what is there': async (fs) => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    await fs.importFiles({ 'dir/a/b.bin': bytes, 'dir/grün.txt': 'grün', 'dir/empty': '', __proto__x: 'x', 'dir/a/-rf': 'y' })
    expectSame([...(await fs.read('/dir/a/b.bin'))], [...bytes])
    expectSame(new TextDecoder().decode(await fs.read('/dir/grün.txt')), 'grün')
    expectSame((await fs.lstat('/dir/empty')).size, 0)
    await expectKept(fs)
  },
  'importFiles replaces a file': async (fs) => {
    await fs.importFiles({ 'dir/kept': 'longer than before' })
    expectSame(new TextDecoder().decode(await fs.read('/dir/kept')), 'longer than before')
    await fs.importFiles({ 'dir/kept': 'kept' })
    await expectKept(fs)
  },
  'what the page writes past the adapter is seen, with another version': async (fs, container, root) => {
    const before = (await fs.lstat('/dir/kept')).version
    await container.fs.writeFile(`${root}/dir/kept`, new TextEncoder().encode('changed'))
    const after = await fs.lstat('/dir/kept')
    expectSame([after.size, after.version === before], [7, false])
  },
}

/** Each case starts with `dir/kept`, links to it, and a tree with a link that leads out of the tree. */
export function linkCases(container: ProbedContainer): LinkCase[] {
  return Object.entries(BODIES).map(([title, body], index) => ({
    title,
    run: async () => {
      const root = `links-${index}`
      const fs = createWebContainerFs({ container, root })
      await fs.open()
      await container.mount(
        {
          dir: { directory: { kept: { file: { contents: 'kept' } } } },
          link: { file: { symlink: 'dir' } },
          loose: { file: { symlink: 'nowhere' } },
          tree: { directory: { deep: { directory: { out: { file: { symlink: '../../dir' } }, f: { file: { contents: 'f' } } } } } },
        },
        { mountPoint: root },
      )
      await body(fs, container, root)
    },
  }))
}

async function expectKept(fs: WebContainerFs): Promise<void> {
  expectSame(new TextDecoder().decode(await fs.read('/dir/kept')), 'kept')
}

async function expectCode(call: Promise<unknown>, code: string): Promise<void> {
  const got = await call.then(
    () => 'no error',
    (error: unknown) => String((error as { readonly code?: unknown }).code),
  )
  expectSame(got, code)
}
