import { equal, ok } from '../runner.js'
import { abortAfter, printed, type ShellCase, type ShellCaseGroup, timeoutAfter } from './case.js'

/** A command that ends when no process with the id `$pid` exists any more. */
const UNTIL_GONE = 'while kill -0 "$pid" 2> /dev/null; do sleep 0.05; done; echo gone'

const processCases: Readonly<Record<string, ShellCase>> = {
  'processes: one that ignores TERM is ended by the timeout': async (stage) => {
    const result = await timeoutAfter(stage, '\n', "trap '' TERM INT HUP; echo $$; while :; do sleep 0.1; done")
    printed(await stage.run(`pid=${Number(result.stdout)}; ${UNTIL_GONE}`), 'gone\n')
  },
  'processes: children of a stopped command are ended too': async (stage) => {
    const result = await abortAfter(stage, '\n', 'sleep 1000 & echo $!; sh -c "sleep 1000"')
    printed(await stage.run(`pid=${Number(result.stdout)}; ${UNTIL_GONE}`), 'gone\n')
  },
  'processes: an orphan that holds the output does not delay the result': async ({ run }) => {
    const result = await run('sleep 1000 & echo $!')
    equal(result.exitCode, 0, 'the exit status')
    printed(await run(`pid=${Number(result.stdout)}; ${UNTIL_GONE}`), 'gone\n')
  },
  'processes: one that a signal ended has 128 and its number': async ({ run }) => {
    const { exitCode, aborted, timedOut } = await run('echo a; kill -9 $$')
    ok(exitCode === 137 && !aborted && !timedOut, `Expected exit 137, got ${exitCode}`)
    equal((await run("bash -c 'kill -TERM $$'; echo $?")).stdout, '143\n')
  },
  'processes: 64 MB of output is drained, the result is bounded': async ({ run }) => {
    const result = await run("yes '0123456' | head -c 64000000; echo end > made; exit 3", { maxBytes: 10_000 })
    equal(result.exitCode, 3, 'the exit status')
    ok(result.truncated && result.stdout.length <= 10_000, `Expected at most 10000 bytes, got ${result.stdout.length}`)
    ok(/\n\[\.\.\. 6399\d{4} bytes left out \.\.\.\]\n/.test(result.stdout), 'Expected the number of bytes that were left out')
  },
}

export const processGroups: readonly ShellCaseGroup[] = [{ needs: ['processes'], cases: processCases }]
