export interface TerminalFaults {
  /** Does not convert LF to CR LF. */
  lf?: boolean
  /** Maximum number of UTF-16 units per piece of output. */
  chunk?: number
  /** Delay of each piece in milliseconds, so that the process may seem to end first. */
  late?: number
  /** `error`: the output fails after the first piece; `open`: it never ends. */
  output?: 'error' | 'open'
  /** Input cannot be written. */
  input?: 'closed' | 'stuck'
  /** Prints the typed input. */
  echo?: boolean
}

/**
 * A terminal as WebContainer's client presents it. The output is text with CR LF in place of LF. Closing the input stream does not end the
 * input of the process; Ctrl+D does.
 */
export class Terminal {
  readonly output: ReadableStream<string>
  readonly input: WritableStream<string>
  onInterrupt: () => void = () => {}
  /** Input that was typed and not read yet. */
  typed = ''
  #controller!: ReadableStreamDefaultController<string>
  #last: Promise<unknown> = Promise.resolve()
  #wake: () => void = () => {}
  #isBroken = false
  #lines = ''
  readonly #faults: TerminalFaults
  readonly #isGone: () => boolean

  constructor(faults: TerminalFaults, isGone: () => boolean) {
    this.#faults = faults
    this.#isGone = isGone
    this.output = new ReadableStream<string>({
      start: (controller) => {
        this.#controller = controller
      },
    })
    this.input = new WritableStream<string>({
      start: (controller) => {
        if (faults.input === 'closed') controller.error(new Error('the input is closed'))
      },
      write: async (text) => {
        if (faults.input === 'stuck') await new Promise(() => {})
        this.#type(text)
      },
    })
  }

  print(text: string): void {
    const { lf = false, chunk = text.length * 2 } = this.#faults
    const printed = lf ? text : text.replaceAll('\n', '\r\n')
    for (let at = 0; at < printed.length; at += chunk) this.#push(printed.slice(at, at + chunk))
  }

  /** Ends the output, because the process has ended. */
  end(): void {
    this.#queue(() => {
      if (this.#faults.output !== 'open' && !this.#isBroken) this.#controller.close()
    })
  }

  /** The next line without its line break, or the rest before the end of the input. Null at the end, and on abort. */
  async line(signal: AbortSignal): Promise<string | null> {
    this.#lines ||= (await this.read(signal)) ?? ''
    if (this.#lines === '') return null
    const end = this.#lines.indexOf('\n')
    const line = end < 0 ? this.#lines : this.#lines.slice(0, end)
    this.#lines = end < 0 ? '' : this.#lines.slice(end + 1)
    return line
  }

  /** Reads like a terminal: all complete lines, or the text before Ctrl+D. Null if there is no text before Ctrl+D, and on abort. */
  async read(signal: AbortSignal): Promise<string | null> {
    for (;;) {
      if (signal.aborted) return null
      const inputEnd = this.typed.indexOf('\x04')
      const lineEnd = this.typed.lastIndexOf('\n', inputEnd < 0 ? undefined : inputEnd) + 1
      if (lineEnd > 0) return this.#take(lineEnd, lineEnd)
      if (inputEnd >= 0) return this.#take(inputEnd, inputEnd + 1) || null
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }

  #take(end: number, next: number): string {
    const taken = this.typed.slice(0, end)
    this.typed = this.typed.slice(next)
    return taken
  }

  #type(text: string): void {
    if (text.includes('\x03')) this.onInterrupt()
    else {
      const typed = text.replaceAll('\r', '\n')
      this.typed += typed
      if (this.#faults.echo) this.print(typed.replaceAll('\x04', ''))
    }
    this.#wake()
  }

  #push(piece: string): void {
    this.#queue(() => {
      if (this.#isBroken) return
      this.#controller.enqueue(piece)
      if (this.#faults.output !== 'error') return
      this.#isBroken = true
      // A stream drops its queued chunks when it fails, so give the reader 10 ms to read them.
      setTimeout(() => this.#controller.error(new Error('the port was closed')), 10)
    })
  }

  #queue(body: () => void): void {
    const { late } = this.#faults
    const act = (): void => {
      if (!this.#isGone()) body()
    }
    if (late === undefined) act()
    else this.#last = this.#last.then(() => new Promise((resolve) => setTimeout(resolve, late))).then(act)
  }
}
