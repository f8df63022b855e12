import { utf8Length } from '../../../src/ops/utf8.js'
import { equal, ok, same } from '../runner.js'
import { Listener, printed, type ShellCase, told, untilThere } from './case.js'

const TURNS = 'for i in 1 2 3 4 5; do echo "out $i"; echo "err $i" >&2; sleep 0.02; done'

/** The output of `seq 1 100`, cut to at most 100 bytes. */
const SEQ_100_IN_100 =
  '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n\n[... 222 bytes left out ...]\n92\n93\n94\n95\n96\n97\n98\n99\n100\n'

export const streamingCases: Readonly<Record<string, ShellCase>> = {
  'onOutput: the pieces of each stream are the output': async ({ run }) => {
    const listener = new Listener()
    const { stdout, stderr } = await run(TURNS, { onOutput: listener.onOutput })
    same([listener.text('stdout'), listener.text('stderr')], [stdout, stderr])
    equal(stdout, 'out 1\nout 2\nout 3\nout 4\nout 5\n')
    ok(
      listener.pieces.every((piece) => piece.text !== ''),
      'Expected no empty piece',
    )
  },
  'onOutput: hears a line while the command runs': async ({ workspace, run }) => {
    const listener = new Listener()
    const heard = listener.heard('first\n').then(() => 'heard')
    // The command succeeds only if `go` exists, which is written only after its first output was received.
    const running = run(`echo first; ${untilThere('go')}; [ -e go ] && echo second`, { onOutput: listener.onOutput })
    running.catch(() => {})
    equal(await Promise.race([heard, running.then(() => 'ended')]), 'heard', 'what came first')
    await workspace.writeText('go', '')
    printed(await running, 'first\nsecond\n')
  },
  'onOutput: hears errors, and lines out of a loop and a function, while the command runs': async ({ workspace, run }) => {
    const listener = new Listener()
    const heard = Promise.all(['one\n', 'two\n', 'three\n'].map((text) => listener.heard(text))).then(() => 'heard')
    const command = `f() { echo two; }; for x in 1; do echo one; f; echo three >&2; ${untilThere('go')}; done; [ -e go ] && echo four`
    const running = run(command, { onOutput: listener.onOutput })
    running.catch(() => {})
    equal(await Promise.race([heard, running.then(() => 'ended')]), 'heard', 'what came first')
    await workspace.writeText('go', '')
    const result = await running
    same([result.stdout, result.stderr, result.exitCode], ['one\ntwo\nfour\n', 'three\n', 0])
  },
  'onOutput: hears all, also of what is cut': async ({ run }) => {
    const listener = new Listener()
    const result = await run('seq 1 50000', { onOutput: listener.onOutput, maxBytes: 1000 })
    equal(listener.text('stdout').length, 288_894, 'the length of the pieces')
    ok(result.truncated && result.stdout.length <= 1000, `Expected a cut result, got ${told(result)}`)
  },
  'onOutput: never splits a character': async ({ workspace, run }) => {
    await workspace.writeText('long.txt', 'ü🙂'.repeat(20_000))
    const listener = new Listener()
    const { stdout } = await run('cat long.txt', { onOutput: listener.onOutput })
    equal(listener.text('stdout'), stdout, 'the pieces')
    equal(stdout, 'ü🙂'.repeat(20_000), 'the output')
    // If a piece ended in half a surrogate pair, the sum of the encoded pieces would be larger.
    equal(
      listener.pieces.reduce((sum, piece) => sum + utf8Length(piece.text), 0),
      120_000,
      'the bytes of the pieces',
    )
  },
  'onOutput: what it throws is ignored': async ({ run }) => {
    let calls = 0
    const onOutput = (): never => {
      calls++
      throw new Error('a mistake of the listener')
    }
    const result = await run('echo a; sleep 0.02; echo b; echo c >&2', { onOutput })
    same([result.stdout, result.stderr, result.exitCode], ['a\nb\n', 'c\n', 0])
    ok(calls > 0, 'Expected to be told')
  },
  'onOutput: is silent once the result is there': async ({ workspace, run }) => {
    const listener = new Listener()
    await run('echo a; (sleep 0.3; echo late) & echo b', { onOutput: listener.onOutput })
    const count = listener.pieces.length
    await workspace.host.sleep(600)
    equal(listener.pieces.length, count, 'the number of pieces')
  },
}

export const cuttingCases: Readonly<Record<string, ShellCase>> = {
  'maxBytes: cuts the middle and says how much': async ({ run }) => {
    const { stdout, stderr, truncated, exitCode } = await run('seq 1 100; echo err >&2', { maxBytes: 100 })
    equal(stdout, SEQ_100_IN_100, 'stdout')
    same([stderr, truncated, exitCode], ['err\n', true, 0])
  },
  'maxBytes: counts each stream for itself': async ({ run }) => {
    const { stdout, stderr, truncated } = await run('echo out; seq 1 100 >&2', { maxBytes: 100 })
    same([stdout, stderr, truncated], ['out\n', SEQ_100_IN_100, true])
  },
  'maxBytes: leaves what just fits': async ({ run }) => {
    const { stdout, truncated } = await run("printf '0123456789'", { maxBytes: 10 })
    same([stdout, truncated], ['0123456789', false])
    const cut = await run("printf '0123456789a'", { maxBytes: 10 })
    same([cut.truncated, cut.exitCode], [true, 0])
  },
  'maxBytes: bounds the result in bytes': async ({ workspace, run }) => {
    await workspace.writeText('long.txt', 'grün 🙂\n'.repeat(5000))
    const { stdout, truncated } = await run('cat long.txt', { maxBytes: 3000 })
    ok(utf8Length(stdout) <= 3000 && utf8Length(stdout) > 2500, `Expected about 3000 bytes, got ${utf8Length(stdout)}`)
    ok(stdout.startsWith('grün 🙂\n') && stdout.endsWith('grün 🙂\n') && truncated, 'Expected whole lines at both ends')
  },
  'maxBytes: can be more than the default': async ({ run }) => {
    const { stdout, truncated } = await run('seq 1 60000', { maxBytes: 1_000_000 })
    same([stdout.length, truncated], [348_894, false])
  },
  'maxBytes: the command runs to its end': async ({ workspace, run }) => {
    const { exitCode } = await run('seq 1 20000; echo end > made; exit 4', { maxBytes: 10 })
    equal(exitCode, 4, 'the exit status')
    ok(await workspace.exists('made'), 'Expected the last statement to run')
  },
}
