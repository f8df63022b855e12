import type { WebContainerProcessesLike } from '../container-like.js'
import { type Form, parseReport, scriptOf } from './form.js'
import { PrivateFiles } from './private-files.js'
import { startProcess } from './process.js'
import { within } from './within.js'

export const BARE: Form = { stdin: false, stderr: false, report: false }

/** For one trial: a shell that has not understood may wait for the terminal. */
const TRIAL_MS = 10_000

const SAID = 'toolport\n'

/** The most that this container's shell can, by trying: nothing published says which syntax it has. */
export async function findForm(container: WebContainerProcessesLike, stderr: boolean, token: string): Promise<Form> {
  for (const form of candidates(stderr)) if (await works(container, form, token)) return form
  return BARE
}

function candidates(stderr: boolean): Form[] {
  const forms: Form[] = [
    { stdin: true, stderr, report: true },
    { stdin: true, stderr, report: false },
  ]
  return stderr ? [...forms, ...candidates(false)] : forms
}

/** @throws {ShellError} spawn_failed: nothing was tried */
async function works(container: WebContainerProcessesLike, form: Form, token: string): Promise<boolean> {
  const files = new PrivateFiles(container, `${token}-try`)
  let output = ''
  try {
    await files.writeStdin(SAID)
    const script = scriptOf('cat; false', form, files.paths)
    const process = await startProcess(container, {
      script,
      lines: true,
      onOutput: (text) => {
        output += text
      },
    })
    const end = await within(TRIAL_MS, process.ended)
    if (end) await process.settle()
    else process.kill()
    process.letGo()
    if (end?.code !== 1 || output !== SAID) return false
    if (form.stderr && (await files.read('err')) === undefined) return false
    return !form.report || parseReport((await files.read('end')) ?? '') !== undefined
  } finally {
    await files.remove()
  }
}
