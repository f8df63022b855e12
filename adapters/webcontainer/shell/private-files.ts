import { ShellError } from '../../../src/errors/index.js'
import { encodeUtf8 } from '../../../src/ops/utf8.js'
import type { WebContainerProcessesLike } from '../container-like.js'
import { messageOf } from '../faults.js'
import type { FormFiles } from './form.js'
import { within } from './timeout.js'

/** Maximum milliseconds to wait for an answer: a container that was torn down in the meantime never answers. */
const ANSWER_MS = 5000

/**
 * The private files of one command. They lie next to the workspace's folder, because the file system calls reach only the container's
 * working directory. The command's own shell creates the files for stderr and the report. So, unless the command has an input, none of the
 * files exists before the command starts.
 */
export class PrivateFiles {
  readonly paths: FormFiles
  readonly #container: WebContainerProcessesLike
  readonly #name: string
  #hasStdin = false

  constructor(container: WebContainerProcessesLike, token: string) {
    this.#container = container
    this.#name = `.toolport-${token}`
    const at = (kind: string): string => `${container.workdir}/${this.#name}.${kind}`
    const files = this
    this.paths = {
      get stdin() {
        return files.#hasStdin ? at('in') : '/dev/null'
      },
      stderr: at('err'),
      report: at('end'),
    }
  }

  /** @throws {ShellError} spawn_failed */
  async writeStdin(text: string): Promise<void> {
    this.#hasStdin = true
    try {
      await this.#container.fs.writeFile(`${this.#name}.in`, encodeUtf8(text))
    } catch (cause) {
      const message = `Cannot start the command: its input could not be written into the container: ${messageOf(cause)}`
      throw new ShellError('spawn_failed', message, { cause })
    }
  }

  /** Returns the text of a file, or undefined if the file does not exist or the container does not answer in time. */
  async read(kind: 'err' | 'end', ms: number = ANSWER_MS): Promise<string | undefined> {
    const reading = (async () => this.#container.fs.readFile(`${this.#name}.${kind}`))()
    const bytes = await within(
      ms,
      reading.catch(() => undefined),
    )
    return bytes === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  }

  /** Removes every file that may have been created. */
  async remove(ms: number = ANSWER_MS): Promise<void> {
    const kinds = this.#hasStdin ? ['in', 'err', 'end'] : ['err', 'end']
    const removing = kinds.map(async (kind) => this.#container.fs.rm(`${this.#name}.${kind}`, { force: true }))
    await within(ms, Promise.allSettled(removing))
  }
}
