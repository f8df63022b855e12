import { equal, ok, rejects, same } from '../runner.js'
import { fileHas, fileIsAbsent, printed, type ShellCase, untilThere } from './case.js'

/** Longer than the clock resolution of any storage. */
const TICK_MS = 50

export const treeCases: Readonly<Record<string, ShellCase>> = {
  'tree: what a command writes is read at once': async ({ workspace, run }) => {
    await run("printf 'a\\nb' > new.txt; echo more >> fruit.txt")
    await fileHas(workspace, 'new.txt', 'a\nb')
    await fileHas(workspace, 'fruit.txt', 'banana\napple\ncherry\napple\nmore\n')
    equal((await workspace.stat('new.txt')).size, 3)
  },
  'tree: what the workspace writes a command reads at once': async ({ workspace, run }) => {
    for (const text of ['one\n', 'two, longer\n', '']) {
      await workspace.writeText('deep/dir/f', text)
      printed(await run('cat deep/dir/f'), text)
    }
  },
  'tree: bytes are the same on both sides': async ({ workspace, run }) => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    await workspace.writeBytes('all.bin', bytes)
    printed(await run('wc -c < all.bin; cp all.bin copy.bin; cat all.bin all.bin > twice.bin'), '256\n')
    same((await workspace.readBytes('copy.bin')).bytes, bytes)
    same((await workspace.readBytes('twice.bin')).bytes, Uint8Array.from([...bytes, ...bytes]))
  },
  'tree: bytes that are no UTF-8 are printed as U+FFFD': async ({ workspace, run }) => {
    await workspace.writeBytes('bad.bin', Uint8Array.of(97, 0xff, 0xfe, 98, 10, 0xc3))
    printed(await run('cat bad.bin'), 'a\ufffd\ufffdb\n\ufffd')
  },
  'tree: 2 MB written by one side are whole on the other': async ({ workspace, run }) => {
    await workspace.writeText('big.txt', '0123456\n'.repeat(262_144))
    printed(await run('wc -c < big.txt; wc -l < big.txt; cp big.txt copy.txt'), '2097152\n262144\n')
    equal((await workspace.stat('copy.txt')).size, 2_097_152)
  },
  'tree: what a command removes is gone': async ({ workspace, run }) => {
    await run('rm fruit.txt; rm -r src')
    await fileIsAbsent(workspace, 'fruit.txt')
    await fileIsAbsent(workspace, 'src/add.ts')
    same(
      (await workspace.list('.')).map((entry) => entry.name),
      ['.hidden', 'docs', 'empty.txt', 'people.csv'],
    )
    await rejects(workspace.readText('fruit.txt'), 'ENOENT')
  },
  'tree: what a command makes and moves is listed': async ({ workspace, run }) => {
    await run('mkdir -p lib/deep; mv src/add.ts lib/; mv docs "my docs"')
    same(
      (await workspace.list('lib')).map(({ name, kind }) => [name, kind]),
      [
        ['add.ts', 'file'],
        ['deep', 'dir'],
      ],
    )
    same(
      (await workspace.list('my docs')).map((entry) => entry.name),
      ['read me.md'],
    )
  },
  'tree: what the workspace removes and moves a command does not find': async ({ workspace, run }) => {
    printed(await run('ls src'), 'add.ts\nmain.ts\n')
    await workspace.remove('src/add.ts')
    await workspace.move('docs', 'texts')
    await workspace.mkdir('made')
    printed(await run('ls src; ls'), 'main.ts\nempty.txt\nfruit.txt\nmade\npeople.csv\nsrc\ntexts\n')
  },
  'tree: absolute virtual paths are good in a command': async ({ workspace, run }) => {
    printed(await run(`cat ${workspace.resolve('.hidden')}; echo x > ${workspace.resolve('src')}/new`), 'secret\n')
    await fileHas(workspace, 'src/new', 'x\n')
  },
  'tree: changes of both sides during a command are seen': async ({ workspace, run }) => {
    let ended = false
    const running = run(`echo ready > ready; ${untilThere('answer')}; cat answer`).finally(() => {
      ended = true
    })
    running.catch(() => {})
    while (!ended && !(await workspace.exists('ready'))) await workspace.host.sleep(10)
    await workspace.writeText('answer', 'yes\n')
    printed(await running, 'yes\n')
  },
  'version: changes when a command rewrites the file, with the same size too': async ({ workspace, run }) => {
    const { version } = await workspace.writeText('f', 'a')
    await workspace.host.sleep(TICK_MS)
    await run('printf b > f')
    const second = await workspace.stat('f')
    ok(second.version !== version, `Expected another version than "${version}"`)
    await workspace.host.sleep(TICK_MS)
    await run('printf cc >> f')
    ok((await workspace.stat('f')).version !== second.version, `Expected another version than "${second.version}"`)
  },
  'version: stays when a command only reads': async ({ workspace, run }) => {
    const { version } = await workspace.writeText('f', 'a')
    await run('cat f; wc -c < f; ls -l f; grep a f')
    equal((await workspace.readText('f')).version, version)
  },
  'version: a write that expects the old one is ESTALE': async ({ workspace, run }) => {
    const { version } = await workspace.readText('fruit.txt')
    await workspace.host.sleep(TICK_MS)
    await run("sed -i 's/banana/papaya/' fruit.txt")
    await rejects(workspace.writeText('fruit.txt', 'mine', { expect: version }), 'ESTALE')
    await fileHas(workspace, 'fruit.txt', 'papaya\napple\ncherry\napple\n')
  },
}
