import { equal, ok, rejects, same } from '../runner.js'
import { fileIsAbsent, untilThere } from '../shell/case.js'
import { endedWith, type SessionCase, type SessionCaseGroup } from './case.js'

const READER = 'while IFS= read -r line; do echo "<$line>"; done'

const outputCases: Readonly<Record<string, SessionCase>> = {
  'spawn: output arrives while it runs, and in order': async ({ workspace, start }) => {
    // The command continues only when `go` exists, which is written only after its first output was received.
    const running = await start(`echo first; echo second; ${untilThere('go')}; [ -e go ] && echo third`)
    await running.heard('first\nsecond\n')
    equal(running.isEnded(), false, 'whether it has ended')
    await workspace.writeText('go', '')
    await endedWith(running, 0, 'first\nsecond\nthird\n')
    ok(
      running.pieces.every((piece) => piece.text !== ''),
      'Expected no empty piece',
    )
  },
  'spawn: output out of a loop, a function and a group arrives while it runs': async ({ workspace, start }) => {
    const running = await start(`f() { echo two; }; for x in 1; do echo one; f; { echo three; }; ${untilThere('go')}; done; echo four`)
    await running.heard('one\ntwo\nthree\n')
    await workspace.writeText('go', '')
    await endedWith(running, 0, 'one\ntwo\nthree\nfour\n')
  },
  'spawn: all output was told when exited resolves': async ({ workspace, start }) => {
    const running = await start('seq 1 50000; exit 4')
    await running.ended()
    const { length } = running.pieces
    await endedWith(running, 4, Array.from({ length: 50_000 }, (_, i) => `${i + 1}\n`).join(''))
    await workspace.host.sleep(300)
    equal(running.pieces.length, length, 'the number of pieces')
  },
  'spawn: exit codes, and no signal': async ({ start }) => {
    for (const code of [0, 3, 127, 130, 255]) await endedWith(await start(`echo a; exit ${code}`), code, 'a\n')
    await endedWith(await start('false'), 1, '')
    await endedWith(await start('true'), 0, '')
  },
  'spawn: a command that is not there is 127, a syntax error 2': async ({ start }) => {
    const missing = await start('no_such_command_here x')
    equal((await missing.ended()).exitCode, 127)
    ok(
      missing.pieces
        .map(({ text }) => text)
        .join('')
        .includes('no_such_command_here'),
      'Expected the name of the command',
    )
    equal((await (await start('if true; then')).ended()).exitCode, 2)
  },
  'spawn: never splits a character': async ({ workspace, start }) => {
    await workspace.writeText('long.txt', 'ü🙂'.repeat(20_000))
    const running = await start('cat long.txt')
    await endedWith(running, 0, 'ü🙂'.repeat(20_000))
    ok(!running.pieces.some(({ text }) => /^[\udc00-\udfff]|[\ud800-\udbff]$|\ufffd/.test(text)), 'Expected whole characters in each piece')
  },
  'spawn: a character that is written in two halves is told whole': async ({ workspace, start }) => {
    await workspace.writeBytes('half.bin', Uint8Array.of(0xc3, 0xbc, 10))
    const running = await start('head -c 1 half.bin; sleep 0.1; tail -c 2 half.bin')
    await endedWith(running, 0, 'ü\n')
  },
  'spawn: what onOutput throws is ignored': async ({ start }) => {
    const onOutput = (): never => {
      throw new Error('a mistake of the listener')
    }
    await endedWith(await start('echo a; sleep 0.02; echo b; exit 3', { onOutput }), 3, 'a\nb\n')
  },
  'spawn: without onOutput it runs all the same': async ({ shell, workspace, within }) => {
    const { exited } = await shell.spawn('echo lost; echo kept > made; exit 5')
    equal((await within(exited, 'its end')).exitCode, 5)
    equal((await workspace.readText('made')).text, 'kept\n')
  },
  'spawn: gives control back at once': async ({ run, start }) => {
    const running = await start('sleep 1000; > made')
    equal((await run('echo works')).stdout, 'works\n')
    equal(running.isEnded(), false, 'whether it has ended')
  },
  'spawn: is on pipes when no terminal was asked for': async ({ start }) => {
    const running = await start('[ -t 0 ] || [ -t 1 ] || [ -t 2 ] && echo terminal; echo end')
    same([running.process.transport, running.process.resize], ['pipe', undefined])
    await endedWith(running, 0, 'end\n')
  },
  'spawn: cwd and env are as for exec': async ({ workspace, start }) => {
    const cwd = workspace.resolve('src')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell.
    const running = await start('pwd; ls; echo "$A|${PATH:+set}"', { cwd, env: { A: 'it\'s "x"' } })
    await endedWith(running, 0, `${cwd}\nadd.ts\nmain.ts\nit's "x"|set\n`)
    await endedWith(await start('pwd; echo "[$A]"'), 0, `${workspace.cwd}\n[]\n`)
  },
  'spawn: a cwd that is none rejects, and nothing runs': async ({ workspace, shell }) => {
    const made = workspace.resolve('made')
    await rejects(shell.spawn(`> ${made}`, { cwd: workspace.resolve('missing') }), 'ENOENT')
    await rejects(shell.spawn(`> ${made}`, { cwd: workspace.resolve('fruit.txt') }), 'ENOTDIR')
    await fileIsAbsent(workspace, 'made')
  },
  'spawn: files are seen on both sides, while it runs': async ({ workspace, start }) => {
    const running = await start(`echo made > made; echo ready; ${untilThere('answer')}; cat answer; wc -c < answer > size`)
    await running.heard('ready\n')
    equal((await workspace.readText('made')).text, 'made\n')
    await workspace.writeText('answer', 'yes\n')
    await endedWith(running, 0, 'ready\nyes\n')
    equal((await workspace.readText('size')).text.trim(), '4')
  },
  'spawn: a session and exec at once do not disturb each other': async ({ workspace, run, start }) => {
    const running = await start(`cd src; x=mine; export A=mine; ${READER}; echo "$x $A $PWD"`)
    for (const line of ['one', 'two', 'three']) {
      const result = await run('echo "[$x$A]"; pwd; cd docs; x=other; export A=other; ls')
      same([result.stdout, result.stderr], [`[]\n${workspace.cwd}\nread me.md\n`, ''])
      await running.process.write(`${line}\n`)
      await running.heard(`<${line}>\n`)
    }
    await running.process.closeInput?.()
    await endedWith(running, 0, `<one>\n<two>\n<three>\nmine mine ${workspace.resolve('src')}\n`)
  },
  'spawn: ten at once keep output, variables and directory apart': async ({ workspace, start }) => {
    const all = Array.from({ length: 10 }, (_, i) => i)
    for (const i of all) await workspace.writeText(`d${i}/name`, `${i}\n`)
    const sessions = await Promise.all(
      all.map((i) =>
        start(`x=${i}; while IFS= read -r line; do echo "$x $A $line"; cat name; done`, {
          cwd: workspace.resolve(`d${i}`),
          env: { A: `a${i}` },
        }),
      ),
    )
    for (const line of ['one', 'two', 'three']) {
      await Promise.all(sessions.map(({ process }, i) => process.write(`${line}${i}\n`)))
      await Promise.all(sessions.map((running, i) => running.heard(`${i} a${i} ${line}${i}\n${i}\n`)))
    }
    await Promise.all(sessions.map(({ process }) => process.closeInput?.()))
    for (const [i, running] of sessions.entries()) {
      await endedWith(running, 0, ['one', 'two', 'three'].map((line) => `${i} a${i} ${line}${i}\n${i}\n`).join(''))
    }
  },
  'spawn: a flood is told as it comes, and other sessions go on': async ({ run, start }) => {
    const flood = await start('while :; do seq 1 10000; done')
    const other = await start(READER)
    await flood.reached(500_000)
    await other.process.write('ping\n')
    await other.heard('<ping>\n')
    equal((await run('echo works')).stdout, 'works\n')
    await flood.reached(4_000_000)
    equal(flood.isEnded(), false, 'whether the flood has ended')
    await flood.process.kill('SIGKILL')
    await flood.ended()
    // Small pieces mean that the shell never held back output for long.
    const longest = flood.pieces.reduce((most, { text }) => Math.max(most, text.length), 0)
    ok(longest <= 2 ** 20, `Expected pieces of at most 1 Mi characters, got one of ${longest}`)
    await other.process.write('pong\n')
    await other.heard('<pong>\n')
  },
  'spawn: several megabytes are whole': async ({ start }) => {
    const running = await start('for i in 1 2 3; do seq 1 300000; done')
    equal((await running.ended()).exitCode, 0)
    equal(running.text().length, 5_966_685, 'the number of characters')
    ok(running.text().endsWith('\n299999\n300000\n'), 'Expected its end')
  },
}

const apartCases: Readonly<Record<string, SessionCase>> = {
  'stderr: is told apart, each stream in its order': async ({ start }) => {
    const running = await start('for i in 1 2 3; do echo "o$i"; echo "e$i" >&2; done')
    await endedWith(running, 0, 'o1\no2\no3\n')
    equal(running.text('stderr'), 'e1\ne2\ne3\n', 'stderr')
  },
  'stderr: arrives while it runs': async ({ workspace, start }) => {
    const running = await start(`echo oops >&2; ${untilThere('go')}; echo end`)
    await running.heard('oops\n', 'stderr')
    equal(running.isEnded(), false, 'whether it has ended')
    await workspace.writeText('go', '')
    await endedWith(running, 0, 'end\n')
  },
}

export const outputGroups: readonly SessionCaseGroup[] = [{ cases: outputCases }, { needs: ['separateStderr'], cases: apartCases }]
